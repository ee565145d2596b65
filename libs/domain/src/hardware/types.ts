import type { InterfaceType } from '../node/fields';

/**
 * Hardware types and the interfaces that each supports, best first: the first enabled one is the default of a new node
 * (contract: node-api.md §3, inspection.md §3.3).
 */
export interface HardwareType {
  readonly name: string;
  readonly supports: Readonly<Record<InterfaceType, readonly string[]>>;
  /** A node of this type may use any enabled interface. */
  readonly acceptsAny: boolean;
  /** Properties that driver_info may hold, with their description. */
  readonly properties: Readonly<Record<string, string>>;
}

const fakeHardware: HardwareType = {
  name: 'fake-hardware',
  acceptsAny: true,
  properties: { B1: 'B1 description. Required.', B2: 'B2 description. Required.' },
  supports: {
    bios: ['fake', 'no-bios'],
    boot: ['fake', 'ipxe', 'pxe'],
    console: ['fake', 'no-console'],
    deploy: ['fake', 'direct', 'ramdisk'],
    firmware: ['fake', 'no-firmware'],
    inspect: ['fake', 'inspector', 'agent', 'no-inspect'],
    management: ['fake'],
    network: ['noop'],
    power: ['fake'],
    raid: ['fake', 'no-raid'],
    rescue: ['fake', 'no-rescue'],
    storage: ['noop', 'fake'],
    vendor: ['fake', 'no-vendor'],
  },
};

const manualManagement: HardwareType = {
  name: 'manual-management',
  acceptsAny: false,
  properties: {},
  supports: {
    bios: ['no-bios'],
    boot: ['ipxe', 'pxe'],
    console: ['no-console'],
    deploy: ['direct', 'ramdisk'],
    firmware: ['no-firmware'],
    inspect: ['inspector', 'agent', 'no-inspect'],
    management: ['noop', 'fake'],
    network: ['noop'],
    power: ['fake'],
    raid: ['no-raid'],
    rescue: ['no-rescue'],
    storage: ['noop'],
    vendor: ['no-vendor'],
  },
};

const redfish: HardwareType = {
  name: 'redfish',
  acceptsAny: false,
  properties: {
    redfish_address: 'The URL address to the Redfish controller. Required.',
    redfish_system_id: 'The canonical path to the ComputerSystem resource that the driver will interact with.',
    redfish_username: 'User account with admin/server-profile access privilege.',
    redfish_password: 'User account password.',
    redfish_verify_ca: 'Whether to verify the certificate of the controller: a boolean, or the path of a CA bundle.',
    redfish_auth_type: 'Authentication method: basic, session or auto.',
    redfish_tls_minimum_version: 'The lowest version of TLS that is spoken with the controller: 1.1, 1.2 or 1.3.',
    redfish_tls_ciphers: 'Ciphers that are spoken with the controller, as OpenSSL lists them.',
    deploy_iso: 'Address of the image that is booted as a CD. Required by the boot interface redfish-virtual-media.',
  },
  supports: {
    bios: ['redfish', 'no-bios'],
    boot: ['ipxe', 'pxe', 'redfish-virtual-media'],
    console: ['no-console'],
    deploy: ['direct', 'ramdisk'],
    firmware: ['redfish', 'no-firmware'],
    inspect: ['redfish', 'inspector', 'agent', 'no-inspect'],
    management: ['redfish', 'noop'],
    network: ['noop'],
    power: ['redfish'],
    raid: ['redfish', 'no-raid'],
    rescue: ['no-rescue'],
    storage: ['noop'],
    vendor: ['redfish', 'no-vendor'],
  },
};

export const hardwareTypes: ReadonlyMap<string, HardwareType> = new Map(
  [fakeHardware, manualManagement, redfish].map((type) => [type.name, type]),
);

/** Every interface name that some hardware type knows, per interface type. */
export const knownInterfaces = (type: InterfaceType): readonly string[] =>
  [...new Set([...hardwareTypes.values()].flatMap(({ supports }) => supports[type]))].sort();
