/**
 * The base of every link: the configured endpoint, else what a trusted proxy says, else the request itself.
 * contract: errors-and-negotiation.md §2
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '@lib/contracts/settings';
import { forwardedIn, type Forwarded } from './forwarded';

const standardPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

export function publicUrl(headers: IncomingHttpHeaders, settings: Settings): string {
  const configured = settings.api.public_endpoint;
  if (configured !== null) return configured.replace(/\/+$/, '');
  const { scheme = 'http', host = headers.host ?? 'localhost', port, prefix = '' } = trusted(headers, settings);
  const needsPort = port !== undefined && port !== standardPorts[scheme] && !/:\d+$/.test(host);
  return `${scheme}://${needsPort ? `${host}:${port}` : host}${prefix}`;
}

/** Who asked, as the proxy tells it; undefined without one that is trusted. For the log. */
export const clientAddress = (headers: IncomingHttpHeaders, settings: Settings): string | undefined =>
  trusted(headers, settings).client;

const trusted = (headers: IncomingHttpHeaders, { oslo_middleware }: Settings): Forwarded =>
  oslo_middleware.enable_proxy_headers_parsing ? forwardedIn(headers) : {};
