import { isObject, type JsonObject, listAt, objectAt } from '../json';
import { SCRIPTED_FAILURE_KEY } from '../hooks';
import { asWished, factsFor } from './body';
import { collected } from './collectors';
import { dice, hashOf } from './dice';
import type { MachineFacts } from './machine-facts';
import type { Script } from './script';

/** A complete callback body of some machine, to be made that of the node. */
export interface InventoryTemplate {
  readonly name: string;
  readonly payload: JsonObject;
}

/** A locally administered MAC that belongs to this node and NIC alone, for NICs that have no port. */
const inventedMac = (uuid: string, index: number): string => {
  const roll = dice(`${uuid}/nic/${index}`);
  const octets = Array.from({ length: 5 }, () => Math.floor(roll() * 256));
  return ['02', ...octets.map((octet) => octet.toString(16).padStart(2, '0'))].join(':');
};

const nicsFor = (template: readonly JsonObject[], machine: MachineFacts): JsonObject[] => {
  const last = template[template.length - 1] ?? {
    name: 'eth0',
    ipv4_address: null,
    ipv6_address: null,
    has_carrier: true,
  };
  const count = Math.max(template.length, machine.macs.length, 1);
  return Array.from({ length: count }, (_, i) => {
    const nic = template[i] ?? { ...last, name: `sim${i}`, client_id: null };
    return { ...nic, mac_address: machine.macs[i] ?? inventedMac(machine.uuid, i) };
  });
};

const pxelinuxForm = (mac: string): string => `01-${mac.replaceAll(':', '-')}`;

/** The template's data as the node's own ramdisk would send it: its MACs, its boot NIC, its BMC, its serial number. */
export const payloadFor = (template: InventoryTemplate, machine: MachineFacts): JsonObject => {
  const inventory = objectAt(template.payload, 'inventory');
  const interfaces = nicsFor(listAt(inventory, 'interfaces').filter(isObject), machine);
  const bootMac = String(interfaces[0]?.['mac_address']);
  const inPxelinuxForm = String(template.payload['boot_interface'] ?? '').includes('-');
  const bootInterface = machine.bootif ?? (inPxelinuxForm ? pxelinuxForm(bootMac) : bootMac);
  const payload = {
    ...template.payload,
    inventory: {
      ...inventory,
      interfaces,
      bmc_address: machine.bmcAddress?.includes(':') ? null : machine.bmcAddress,
      bmc_v6address: machine.bmcAddress?.includes(':') ? machine.bmcAddress : null,
      boot: { ...objectAt(inventory, 'boot'), pxe_interface: bootInterface },
      system_vendor: { ...objectAt(inventory, 'system_vendor'), serial_number: `SIM-${machine.uuid.slice(0, 8)}` },
    },
    boot_interface: bootInterface,
    error: null,
  };
  return machine.collectors ? collected(payload, machine.collectors) : payload;
};

/** The body that a scripted ramdisk posts. */
export const scriptedPayload = (
  script: Script,
  templates: readonly InventoryTemplate[],
  machine: MachineFacts,
): JsonObject => {
  const chosen =
    templates.find((template) => template.name === script.inventory) ??
    templates[hashOf(machine.uuid) % Math.max(1, templates.length)];
  const facts = factsFor(script.body, machine);
  const payload = asWished(script.body, payloadFor(chosen ?? { name: 'empty', payload: {} }, facts));
  if (script.script === 'error') return { ...payload, [SCRIPTED_FAILURE_KEY]: script.message };
  return script.script === 'ramdisk-error' ? { ...payload, error: script.message } : payload;
};
