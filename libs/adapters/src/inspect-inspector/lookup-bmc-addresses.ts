import { isLoopback, parseIp } from '@lib/domain/introspection';
import type { JsonObject } from '@lib/domain';
import type { Clock, Logger } from '@lib/ports';
import { within } from '../bounded-call';

/** Addresses of a host name; rejects, or answers with none, when it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

export interface LookupDeps {
  readonly resolveHost: ResolveHost;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A resolver that hangs must not hold the start of an inspection. */
const RESOLVE_MS_MAX = 5000;

/** The host in a value of driver_info: of a URL its host, else the value itself, without brackets; null when there is none. */
function hostOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const bare = (host: string): string | null => host.trim().replace(/^\[|\]$/g, '') || null;
  const slashes = value.indexOf('//');
  if (slashes < 0) return bare(value);
  try {
    return bare(new URL(value.slice(slashes), 'http://host.invalid').hostname);
  } catch {
    return null;
  }
}

/** Keys of BMC addresses; those of IPMI name a bridge, not the machine, when bridging is on. */
function hostsOf(driverInfo: JsonObject): string[] {
  const bridged = (driverInfo['ipmi_bridging'] ?? 'no') !== 'no';
  const keys = Object.keys(driverInfo).filter(
    (key) => key.endsWith('_address') && !(bridged && key.startsWith('ipmi_')),
  );
  const hosts = keys.map((key) => hostOf(driverInfo[key])).filter((host): host is string => host !== null);
  return [...new Set(hosts)];
}

async function addressesOf(host: string, node: string, { resolveHost, clock, logger }: LookupDeps): Promise<string[]> {
  if (parseIp(host)) return isLoopback(host) ? [] : [host];
  const found = await within(
    resolveHost(host).catch(() => []),
    RESOLVE_MS_MAX,
    clock,
  );
  if (!found || found.length === 0) {
    logger.warn({ node, host }, 'a BMC address can not be resolved; a ramdisk is not found by it');
    return [];
  }
  const reachable = found.filter((address) => !isLoopback(address));
  return reachable.length === 0 ? [] : [...reachable, host];
}

/**
 * By which addresses a ramdisk's report may find this node: those of each BMC and its name as written, loopback left out
 * (contract: inspection.md §4.1 step 4).
 */
export async function lookupBmcAddresses(driverInfo: JsonObject, node: string, deps: LookupDeps): Promise<string[]> {
  const perHost = await Promise.all(hostsOf(driverInfo).map((host) => addressesOf(host, node, deps)));
  return [...new Set(perHost.flat())];
}
