/** Virtual media of a node. contract: node-api.md §21 */
import { downloadSources, mediaTypes } from '@lib/domain';
import type { MediaType } from '@lib/domain';
import { badRequest } from '../faults';
import { empty, mandatoryText, namedArguments, ok, type Answer, type Call } from '../http';
import type { Handlers } from '../router';
import { askMachine, carryOut, mandatoryWord } from './asking';

const schemes = ['http', 'https', 'nfs', 'cifs', 'smb'];

async function list(call: Call): Promise<Answer> {
  call.query.only([]);
  return ok(await askMachine(call, { ask: 'media' }));
}

async function attach(call: Call): Promise<Answer> {
  const given = namedArguments(call, ['device_type', 'image_url', 'image_download_source']);
  const deviceType = mandatoryWord(given, 'device_type', mediaTypes);
  const imageUrl = imageUrlOf(mandatoryText(given, 'image_url'));
  const sourced = { image_download_source: 'local', ...withoutNulls(given) };
  const downloadSource = mandatoryWord(sourced, 'image_download_source', downloadSources);
  await carryOut(call, { act: 'attach media', deviceType, imageUrl, downloadSource });
  return empty(204);
}

const withoutNulls = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

/** The text does not repeat the URL: it may hold credentials. */
function imageUrlOf(text: string): string {
  const [scheme] = /^[a-z][a-z0-9+.-]*(?=:\/\/[^/\s])/i.exec(text) ?? [];
  if (scheme === undefined || !schemes.includes(scheme.toLowerCase()))
    throw badRequest(`Invalid value for image_url: a URL with one of the schemes ${schemes.join(', ')} is expected.`);
  return text;
}

async function detach(call: Call): Promise<Answer> {
  call.query.only(['device_types']);
  const deviceTypes = (call.query.list('device_types') ?? []).map(mediaTypeOf);
  await carryOut(call, { act: 'detach media', deviceTypes });
  return empty(204);
}

function mediaTypeOf(word: string): MediaType {
  return mandatoryWord({ device_types: word }, 'device_types', mediaTypes);
}

export const mediaHandlers: Handlers = {
  'GET nodes/{ident}/vmedia': list,
  'POST nodes/{ident}/vmedia': attach,
  'DELETE nodes/{ident}/vmedia': detach,
};
