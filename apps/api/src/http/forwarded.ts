/**
 * What proxies say of the client's own request: `Forwarded` (RFC 7239), else the X-Forwarded headers. Of a chain the first
 * word counts, that of the proxy which the client spoke to. What could be no part of a URL is not taken.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface Forwarded {
  readonly scheme?: string;
  readonly host?: string;
  readonly port?: string;
  readonly prefix?: string;
  /** Address of the client, without a port. */
  readonly client?: string;
}

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const PREFIX = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)+$/;

export function forwardedIn(headers: IncomingHttpHeaders): Forwarded {
  const standard = firstElement(textOf(headers['forwarded']));
  const x = (name: string): string | undefined => firstWord(textOf(headers[`x-forwarded-${name}`]));
  return {
    ...valid('scheme', standard.get('proto')?.toLowerCase() ?? x('proto')?.toLowerCase(), /^https?$/),
    ...valid('host', standard.get('host') ?? x('host'), HOST),
    ...valid('port', x('port'), /^\d{1,5}$/),
    ...valid('prefix', prefixOf(x('prefix')), PREFIX),
    ...valid('client', addressOf(standard.get('for') ?? x('for')), /^[\w.:%-]+$/),
  };
}

const valid = (name: keyof Forwarded, value: string | undefined, pattern: RegExp): Forwarded =>
  value !== undefined && pattern.test(value) ? { [name]: value } : {};

const textOf = (header: string | string[] | undefined): string =>
  Array.isArray(header) ? header.join(',') : (header ?? '');

const firstWord = (text: string): string | undefined => text.split(',')[0]?.trim() || undefined;

function prefixOf(word: string | undefined): string | undefined {
  const path = word?.replace(/\/+$/, '');
  return path === undefined || path === '' || path.startsWith('/') ? path : `/${path}`;
}

/** `[2001:db8::1]:4711` and `192.0.2.1:4711` lose their ports. */
const addressOf = (node: string | undefined): string | undefined =>
  node === undefined ? undefined : (/^\[(.*)\](?::\w+)?$/.exec(node)?.[1] ?? node.replace(/^([^:]*):\w+$/, '$1'));

/** One pair after another, values bare or in quotes, up to the comma that ends the first element. */
const PAIR = /[\t ;]*([!#$%&'*+.^`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*))[\t ]*(?=[;,]|$)/y;

function firstElement(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  PAIR.lastIndex = 0;
  for (let found = PAIR.exec(text); found; found = text[PAIR.lastIndex] === ',' ? null : PAIR.exec(text)) {
    const [, name = '', quoted, bare] = found;
    const value = quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1');
    if (value) pairs.set(name.toLowerCase(), value);
  }
  return pairs;
}
