import { ApiFault } from '../faults';

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Links are made of it, so that what could be no part of one is refused (RFC 9112 §3.2 asks for 400). None at all is taken. */
export function checkHost(host: string | undefined): void {
  if (host === undefined || HOST.test(host)) return;
  throw new ApiFault(400, `The header Host names no host: ${JSON.stringify(host)}.`, 'router');
}
