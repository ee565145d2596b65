/**
 * [DEFAULT] enabled_<type>_interfaces and default_<type>_interface, for the 13 interface types.
 * contract: config.md [DEFAULT], node-api.md §3 (interface defaulting)
 */
import { type InterfaceType, interfaceTypes, knownInterfaces, shippedInterfaces } from '../hardware-names';
import type { Option } from '../option';
import { wordOrUnset, wordsOf } from '../words';

/** What Ironic enables when the file says nothing; null: computed from the enabled hardware types. */
const ironicEnabled: Readonly<Record<InterfaceType, string | null>> = {
  bios: 'no-bios,redfish',
  boot: 'ipxe,pxe,redfish-virtual-media',
  console: 'no-console',
  deploy: 'autodetect,direct,ramdisk,bootc',
  firmware: 'no-firmware',
  inspect: 'no-inspect,redfish',
  management: null,
  network: 'flat,noop',
  power: null,
  raid: 'agent,no-raid,redfish',
  rescue: 'no-rescue',
  storage: 'cinder,noop',
  vendor: 'ipmitool,redfish,no-vendor',
};

const WHY_INSPECT =
  'all in-band and out-of-band ways to inspect are at hand without configuration, and the fake hardware type has its own';
const WHY_OTHERS = 'the enabled hardware types need them, and only what this release knows can be enabled';

function enabledOption(type: InterfaceType): Option<readonly string[]> {
  return wordsOf({
    noun: `${type} interface`,
    known: knownInterfaces(type),
    extensible: true,
    default: shippedInterfaces[type],
    readBy: ['conductor'],
    meaning: `${type} interfaces that nodes may use.`,
    difference: {
      ironic: ironicEnabled[type] ?? 'computed from the enabled hardware types',
      why: type === 'inspect' ? WHY_INSPECT : WHY_OTHERS,
    },
  });
}

function defaultOption(type: InterfaceType): Option<string | null> {
  return wordOrUnset({
    noun: `${type} interface`,
    known: knownInterfaces(type),
    extensible: true,
    readBy: ['conductor'],
    meaning: `${type} interface of nodes created without one, where the hardware type supports it. Unset: the first enabled one in the hardware type's own order.`,
  });
}

type InterfaceOptions = { readonly [T in InterfaceType as `enabled_${T}_interfaces`]: Option<readonly string[]> } & {
  readonly [T in InterfaceType as `default_${T}_interface`]: Option<string | null>;
};

export const interfaceOptions = Object.fromEntries([
  ...interfaceTypes.map((type) => [`enabled_${type}_interfaces`, enabledOption(type)]),
  ...interfaceTypes.map((type) => [`default_${type}_interface`, defaultOption(type)]),
]) as InterfaceOptions;
