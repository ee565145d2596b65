import { mergedParameters, wantsFastTrack } from '@lib/domain';
import type { Machine } from '@lib/ports';

export interface RamdiskSettings {
  /** Root of the Bare Metal API as machines reach it, with or without its `/v1`. */
  readonly apiUrl: string;
  /** `[inspector] extra_kernel_params`, one each. */
  readonly extraKernelParameters: readonly string[];
  /** `[inspector] force_dhcp`. */
  readonly forceDhcp: boolean;
  /** `[deploy] fast_track`; `driver_info.fast_track` of a node overrides. */
  readonly fastTrack: boolean;
}

/** What the ramdisk is told on its command line (contract: inspection.md §4.2, ramdisk.md §1). Ours win over the extra ones. */
export function ramdiskParameters({ driverInfo }: Machine, callbackUrl: string, settings: RamdiskSettings): string[] {
  const { extraKernelParameters, forceDhcp, fastTrack, apiUrl } = settings;
  return mergedParameters(extraKernelParameters, [
    `ipa-inspection-callback-url=${callbackUrl}`,
    ...(forceDhcp ? ['ipa-collect-lldp=1'] : []),
    // Without it the ramdisk neither looks up its node nor beats, and is powered off by us.
    ...(wantsFastTrack(driverInfo, fastTrack) ? [`ipa-api-url=${apiUrl}`] : []),
  ]);
}

/** An address of the API below its `/v1`, which is not doubled (contract: inspection.md §4.2). */
export const underV1 = (url: string, path: string): string =>
  `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/${path}`;
