import { isLoopback } from '@lib/domain/introspection';

/**
 * What a ramdisk that we boot posts to, from the inspector's address: below its `/v1`, which is not doubled. The word `mdns` is the
 * ramdisk's to resolve (contract: inspection.md §4.2).
 * @throws Error for an address that every machine takes for itself
 */
export function callbackOf(endpoint: string): string {
  if (endpoint === 'mdns') return endpoint;
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || isLoopback(host)) {
    throw new Error(
      `a machine cannot post to its inspector at the loopback address ${endpoint}: set [inspector] callback_endpoint_override`,
    );
  }
  const base = endpoint.replace(/\/+$/, '');
  return base.endsWith('/v1') ? `${base}/continue` : `${base}/v1/continue`;
}
