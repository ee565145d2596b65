/**
 * The base of every link: the configured endpoint, else what a trusted proxy says, else the request itself.
 * contract: errors-and-negotiation.md §2
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '@lib/contracts/settings';

export function publicUrl(headers: IncomingHttpHeaders, settings: Settings): string {
  const configured = settings.api.public_endpoint;
  if (configured !== null) return configured.replace(/\/+$/, '');
  const { scheme, host, prefix } = settings.oslo_middleware.enable_proxy_headers_parsing
    ? forwarded(headers)
    : { scheme: undefined, host: undefined, prefix: '' };
  return `${scheme ?? 'http'}://${host ?? headers.host ?? 'localhost'}${prefix}`;
}

interface Forwarded {
  readonly scheme: string | undefined;
  readonly host: string | undefined;
  readonly prefix: string;
}

function forwarded(headers: IncomingHttpHeaders): Forwarded {
  const standard = firstOf(headers['forwarded']);
  const named = (name: string): string | undefined =>
    new RegExp(`(?:^|;)\\s*${name}="?([^";]+)"?`, 'i').exec(standard ?? '')?.[1]?.trim();
  const scheme = named('proto') ?? firstOf(headers['x-forwarded-proto']);
  const host = named('host') ?? firstOf(headers['x-forwarded-host']);
  const prefix = firstOf(headers['x-forwarded-prefix'])?.replace(/\/+$/, '') ?? '';
  return {
    scheme: scheme?.toLowerCase(),
    host,
    prefix: prefix === '' || prefix.startsWith('/') ? prefix : `/${prefix}`,
  };
}

/** Of a chain of proxies the first speaks of the client's own request. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();
  return text === '' ? undefined : text;
}
