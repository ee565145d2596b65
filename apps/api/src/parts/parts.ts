/** BIOS settings and firmware components of a node, as its machine told of them. contract: node-api.md §17 */
import { argumentGates, biosFields, biosListFields, firmwareFields } from '@lib/contracts';
import { badRequest, notFound } from '../faults';
import { ok, type Answer, type Call } from '../http';
import { detailArgument, fieldsArgument, fullSelection, namedSelection, type Selection } from '../lists';
import { findNode } from '../nodes';
import { linkPair, renderDocument, type Document } from '../render';
import type { Handlers } from '../router';

interface StoredParts {
  readonly bios: readonly Document[];
  readonly firmware: readonly Document[];
}

async function partsOf(call: Call, uuid: string): Promise<StoredParts> {
  const [stored] = await call.services.readModel.get('node_parts', [uuid]);
  return stored ? (JSON.parse(stored.json) as StoredParts) : { bios: [], firmware: [] };
}

function biosSelection(call: Call): Selection {
  const detail = detailArgument(call, argumentGates.biosDetail) ?? false;
  const names = fieldsArgument(call, biosFields, argumentGates.biosFields);
  if (detail && names !== undefined) throw badRequest('The arguments fields and detail exclude each other.');
  if (names !== undefined) return namedSelection(biosFields, call.minor, names);
  return fullSelection(biosFields, call.minor).filter(({ name }) => detail || biosListFields.has(name));
}

const renderSetting = (call: Call, uuid: string, setting: Document, selection: Selection): Record<string, unknown> =>
  renderDocument(setting, selection, {
    links: linkPair(call.publicUrl, `nodes/${uuid}/bios/${encodeURIComponent(String(setting['name']))}`),
  });

async function listBios(call: Call): Promise<Answer> {
  call.query.only(['detail', 'fields']);
  const selection = biosSelection(call);
  const { uuid } = await findNode(call);
  const { bios } = await partsOf(call, uuid);
  return ok({ bios: bios.map((setting) => renderSetting(call, uuid, setting, selection)) });
}

async function showBios(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  const wanted = call.params['name'] ?? '';
  const setting = (await partsOf(call, uuid)).bios.find(({ name }) => name === wanted);
  if (!setting) throw notFound(`Node ${uuid} has no BIOS setting ${wanted}.`);
  return ok({ [wanted]: renderSetting(call, uuid, setting, fullSelection(biosFields, call.minor)) });
}

async function listFirmware(call: Call): Promise<Answer> {
  call.query.only(['fields']);
  const names = fieldsArgument(call, firmwareFields);
  const selection =
    names === undefined ? fullSelection(firmwareFields, call.minor) : namedSelection(firmwareFields, call.minor, names);
  const { uuid } = await findNode(call);
  const { firmware } = await partsOf(call, uuid);
  return ok({ firmware: firmware.map((component) => renderDocument(component, selection, {})) });
}

export const partsHandlers: Handlers = {
  'GET nodes/{ident}/bios': listBios,
  'GET nodes/{ident}/bios/{name}': showBios,
  'GET nodes/{ident}/firmware': listFirmware,
};
