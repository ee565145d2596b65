/** Indicators and the non-maskable interrupt of a node. contract: node-api.md §13 */
import { badRequest } from '../faults';
import { empty, mandatoryText, namedArguments, ok, wholeBody, isObject, type Answer, type Call } from '../http';
import { findNode } from '../nodes';
import { linkPair } from '../render';
import type { Handlers } from '../router';
import { askMachine, carryOut } from './asking';

async function list(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  const found = (await askMachine(call, { ask: 'indicators' })) as readonly { readonly name: string }[];
  const path = `nodes/${uuid}/management/indicators`;
  return ok({ indicators: found.map((one) => ({ ...one, links: linkPair(call.publicUrl, `${path}/${one.name}`) })) });
}

/** `<indicator>@<component>`. */
function named(call: Call): { readonly indicator: string; readonly component: string } {
  const name = call.params['indicator'] ?? '';
  const at = name.indexOf('@');
  const [indicator, component] = [name.slice(0, at), name.slice(at + 1)];
  if (at < 1 || component === '' || component.includes('@'))
    throw badRequest(`Invalid indicator ${name}: it is named as <indicator>@<component>.`);
  return { indicator, component };
}

async function show(call: Call): Promise<Answer> {
  call.query.only([]);
  return ok({ state: await askMachine(call, { ask: 'indicator', ...named(call) }) });
}

async function change(call: Call): Promise<Answer> {
  const state = mandatoryText(namedArguments(call, ['state']), 'state').toLowerCase();
  await carryOut(call, { act: 'set indicator', ...named(call), state });
  return empty(204);
}

async function injectNmi(call: Call): Promise<Answer> {
  call.query.only([]);
  const body = wholeBody(call);
  if (body !== undefined && body !== null && (!isObject(body) || Object.keys(body).length > 0))
    throw badRequest('Unexpected arguments: the injection of an NMI takes none.');
  await carryOut(call, { act: 'inject nmi' });
  return empty(204);
}

export const indicatorHandlers: Handlers = {
  'GET nodes/{ident}/management/indicators': list,
  'GET nodes/{ident}/management/indicators/{indicator}': show,
  'PUT nodes/{ident}/management/indicators/{indicator}': change,
  'PUT nodes/{ident}/management/inject_nmi': injectNmi,
};
