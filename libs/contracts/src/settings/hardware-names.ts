/**
 * What a new installation enables. The names that exist come from the hardware types (libs/domain/src/hardware): a name
 * that no hardware type supports stops the start, for a node could be given it and nothing would ever serve it.
 */
import { hardwareTypes, type InterfaceType, knownInterfaces } from '@lib/domain';

export { interfaceTypes, type InterfaceType } from '@lib/domain';
export { knownInterfaces };

export const knownHardwareTypes: readonly string[] = [...hardwareTypes.keys()];

export const shippedInterfaces: Readonly<Record<InterfaceType, readonly string[]>> = {
  bios: ['fake', 'no-bios', 'redfish'],
  boot: ['fake', 'ipxe', 'pxe', 'redfish-virtual-media'],
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
