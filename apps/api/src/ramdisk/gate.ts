import { endpointMin } from '@lib/contracts';
import { ApiFault } from '../faults';
import type { Call } from '../http';

/** 403 comes before everything else (contract: other-resources.md §3-5). */
export function checkEnabled({ services }: Call): void {
  if (services.settings.api.enable_ramdisk_endpoints) return;
  throw new ApiFault(403, 'The endpoints for ramdisks are switched off ([api] enable_ramdisk_endpoints).');
}

/** These endpoints are looked at in an order of their own, so the router leaves their version to them. */
export function checkVersion({ minor, method }: Call, path: string): void {
  const min = endpointMin(method, path);
  if (minor < min) throw new ApiFault(404, `The API version must be 1.${min} or newer for ${path}.`);
}
