/**
 * What every answer has, whatever was asked in whatever version.
 * contract: errors-and-negotiation.md §1 (headers), §3 (types), §5 (the two forms of faults)
 */
import type { Seen } from './http';

const VERSION = 'x-openstack-ironic-api-version';
const RANGE = {
  'x-openstack-ironic-api-minimum-version': '1.1',
  'x-openstack-ironic-api-maximum-version': '1.115',
} as const;

export type Form = 'router' | 'resource' | 'bare' | 'none';

const keysOf = (thing: object): string => Object.keys(thing).sort().join();

/** Which of the contract's forms a fault has; none when it has none of them. */
export function formOf({ fault, body }: Seen): Form {
  const keys = fault === undefined ? '' : keysOf(fault);
  if (keys === 'code,description,title') return 'router';
  if (keys === 'debuginfo,faultcode,faultstring') return 'resource';
  return body !== undefined && keysOf(body as object) === 'faultcode,faultstring' ? 'bare' : 'none';
}

/** What is wrong with an answer to a request that was agreed to be at `minor`; empty when nothing is. */
export function wrongWith(seen: Seen, method: string, minor: number): string[] {
  const { status, headers, text } = seen;
  const wrong: string[] = [];
  const must = (holds: boolean, what: string): void => void (holds || wrong.push(what));
  const id = headers['openstack-request-id'] ?? '';
  must(/^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id), `request id "${id}"`);
  must(headers['x-openstack-request-id'] === id, 'two request ids');
  must(headers['vary'] === undefined, 'a Vary header');
  must(status < 500, `status ${status}`);
  must(text === '' || headers['content-type'] === 'application/json', `type ${headers['content-type']}`);
  if (method === 'HEAD') return wrong;
  const form = status < 400 ? 'resource' : formOf(seen);
  must(form === 'resource' || form === 'router', `the form of the fault: ${text.slice(0, 200)}`);
  const versions = [VERSION, ...Object.keys(RANGE)].map((name) => headers[name]);
  const wanted = form === 'router' ? versions.map(() => undefined) : [`1.${minor}`, ...Object.values(RANGE)];
  must(String(versions) === String(wanted), `version headers ${String(versions)}`);
  must(status !== 405 || headers['allow'] !== undefined, '405 without Allow');
  return wrong;
}
