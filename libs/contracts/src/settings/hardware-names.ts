/**
 * The names of hardware types and interfaces that this release knows. A name in the configuration that is not here
 * stops the start: a node could be given it and nothing would ever serve it.
 */
export const interfaceTypes = [
  'bios',
  'boot',
  'console',
  'deploy',
  'firmware',
  'inspect',
  'management',
  'network',
  'power',
  'raid',
  'rescue',
  'storage',
  'vendor',
] as const;

export type InterfaceType = (typeof interfaceTypes)[number];

export const knownHardwareTypes: readonly string[] = ['fake-hardware', 'manual-management', 'redfish'];

export const knownInterfaces: Readonly<Record<InterfaceType, readonly string[]>> = {
  bios: ['fake', 'no-bios', 'redfish'],
  boot: ['fake', 'ipxe', 'redfish-virtual-media'],
  console: ['fake', 'no-console'],
  deploy: ['fake', 'direct', 'ramdisk'],
  firmware: ['fake', 'no-firmware'],
  inspect: ['agent', 'inspector', 'fake', 'no-inspect', 'redfish'],
  management: ['fake', 'noop', 'redfish'],
  network: ['noop'],
  power: ['fake', 'redfish'],
  raid: ['fake', 'no-raid', 'redfish'],
  rescue: ['fake', 'no-rescue'],
  storage: ['fake', 'noop'],
  vendor: ['fake', 'no-vendor', 'redfish'],
};
