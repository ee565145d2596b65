import type { BootInterface, NetworkInterface } from '@lib/ports';

/** Boots nothing: ramdisks of its nodes come from outside. */
export const fakeBoot: BootInterface = {
  validate: () => null,
  bootsByPort: false,
  validateInspection: () => ({
    verdict: 'unsupported',
    reason: 'Driver fake does not support managed boot for inspection.',
  }),
  prepareRamdisk: () => Promise.reject(new Error('Driver fake does not support managed boot for inspection.')),
  cleanUpRamdisk: () => Promise.resolve(),
};

/** Machines whose network is set up by hand, once (contract: inspection.md §4.1). */
export const noopNetwork: NetworkInterface = {
  validate: () => null,
  validateInspection: () => ({ verdict: 'supported' }),
};
