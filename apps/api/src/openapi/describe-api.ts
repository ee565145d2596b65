/** GET /openapi.json: the API in OpenAPI 3.1, for one microversion. */
import { MINOR_MAX, MINOR_MIN } from '@lib/contracts';
import { openApiDocument } from '@lib/contracts/openapi';
import { badRequest, notAcceptable } from '../faults';
import { jsonText, type Answer, type QueryArguments, type Services } from '../http';

export const OPENAPI_PATH = '/openapi.json';

/** Each version's text is made when it is first asked for; it depends on nothing that changes while the api runs. */
const texts = new Map<string, string>();

/** `?version=1.NN` or `latest`; the newest without it. What is no version is 400, one that is not served 406. */
export function describeApi(query: QueryArguments, { settings }: Pick<Services, 'settings'>): Answer {
  query.only(['version']);
  const minor = minorOf(query.single('version'));
  const strategy = settings.DEFAULT.auth_strategy;
  const key = `${minor} ${strategy}`;
  const text = texts.get(key) ?? JSON.stringify(openApiDocument(minor, strategy));
  texts.set(key, text);
  return jsonText(200, text);
}

function minorOf(version: string | undefined): number {
  if (version === undefined || /^latest$/i.test(version)) return MINOR_MAX;
  const [, major, minor] = /^\s*(\d{1,6})\.(\d{1,6})\s*$/.exec(version) ?? [];
  if (major === undefined) throw badRequest(`Invalid value for version: '${version}'. Expected 1.N or latest.`);
  const known = Number(major) === 1 && Number(minor) >= MINOR_MIN && Number(minor) <= MINOR_MAX;
  if (known) return Number(minor);
  throw notAcceptable(
    `Version ${version} is not supported. Supported are 1.${MINOR_MIN} to 1.${MINOR_MAX} as the argument version.`,
  );
}
