import type {
  BootInterface,
  InspectInterface,
  LifecycleInterface,
  LifecycleKind,
  ManagementInterface,
  NetworkInterface,
  PowerInterface,
} from '@lib/ports';

/**
 * The unsupported-extension text, which names the interface (contract: inspection.md §3.3, RULE): the base of all
 * interfaces refuses what it does not offer.
 */
export const unsupported = (name: string, call: string): string =>
  `Driver ${name} does not support ${call} (switched off or not offered).`;

const refusal = (name: string, call: string): Promise<never> => Promise.reject(new Error(unsupported(name, call)));

/** `no-inspect`, and every inspect interface that is known by name only: refused before anything is stored. */
export const refusingInspect = (name: string): InspectInterface => ({
  facts: { name, abort: false, powerOff: 'never', startsIntrospection: false, takesData: false },
  validate: () => unsupported(name, 'inspect'),
  inspect: () => refusal(name, 'inspect'),
});

export const refusingPower = (name: string): PowerInterface => ({
  validate: () => unsupported(name, 'power'),
  read: () => refusal(name, 'power'),
  change: () => refusal(name, 'power'),
});

export const refusingManagement = (name: string): ManagementInterface => ({
  validate: () => unsupported(name, 'management'),
  bootDevices: () => [],
  readBootDevice: () => ({ boot_device: null, persistent: null }),
  checkBootDevice: () => unsupported(name, 'management'),
  setBootDevice: () => refusal(name, 'management'),
});

/** Nothing was ever prepared by it, so there is nothing that it would have to take away. */
export const refusingBoot = (name: string): BootInterface => ({
  validate: () => unsupported(name, 'boot'),
  bootsByPort: false,
  validateInspection: () => ({ verdict: 'unsupported', reason: unsupported(name, 'managed boot for inspection') }),
  prepareRamdisk: () => refusal(name, 'managed boot for inspection'),
  cleanUpRamdisk: () => Promise.resolve(),
});

/** Without steps of its own there is nothing to clean; all other work is refused before anything is stored. */
export const refusingLifecycle = (kind: LifecycleKind, name: string): LifecycleInterface => ({
  works: kind === 'deploy' ? ['clean'] : [],
  validate: () => unsupported(name, kind),
  ownSteps: () => [],
  work: (_machine, { work }) => (work === 'clean' ? Promise.resolve({}) : refusal(name, work)),
});

export const refusingNetwork = (name: string): NetworkInterface => ({
  validate: () => unsupported(name, 'network'),
  validateInspection: () => ({ verdict: 'unsupported', reason: unsupported(name, 'a network for inspection') }),
});
