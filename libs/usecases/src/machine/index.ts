import { isSealed } from '@lib/domain';
import type { JsonObject, ManagedState, Node, PortDocument } from '@lib/domain';
import type { HardwareRegistry, Machine, MachinePort, ReadModel, SecretBox } from '@lib/ports';
import { documentsWith } from '../plain-resources';

/** A free object with its sealed values opened. */
export async function opened(value: unknown, box: SecretBox): Promise<unknown> {
  if (isSealed(value)) return box.open(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => opened(item, box)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = await Promise.all(Object.entries(value).map(async ([key, inner]) => [key, await opened(inner, box)]));
  return Object.fromEntries(entries);
}

/** The node as its interfaces see it: secrets in the clear, for one call. */
export async function machineOf(node: Node, box: SecretBox, ports: readonly MachinePort[] = []): Promise<Machine> {
  const { fields } = node;
  return {
    uuid: node.uuid,
    driver: fields.driver,
    driverInfo: (await opened(fields.driver_info, box)) as JsonObject,
    instanceInfo: (await opened(fields.instance_info, box)) as JsonObject,
    properties: fields.properties,
    extra: fields.extra,
    bootInterface: fields.boot_interface,
    networkInterface: fields.network_interface,
    powerInterface: fields.power_interface,
    managementInterface: fields.management_interface,
    disablePowerOff: fields.disable_power_off ?? false,
    powerState: node.powerState,
    bootDevice: node.bootDevice,
    parts: node.parts,
    managed: (await opened(node.managed, box)) as ManagedState,
    attempt: node.inspection?.attempt ?? null,
    attemptBegunAt: node.inspection?.begunAt ?? null,
    managedBoot: node.inspection?.bootInterface ?? null,
    ports,
  };
}

/** The same for calls that lead to its boot interface: with its ports, where that looks at them. */
export async function bootingMachineOf(
  node: Node,
  {
    box,
    hardware,
    readModel,
  }: { readonly box: SecretBox; readonly hardware: HardwareRegistry; readonly readModel: ReadModel },
): Promise<Machine> {
  const { bootsByPort } = hardware.boot(node.inspection?.bootInterface ?? node.fields.boot_interface);
  return machineOf(node, box, bootsByPort ? await machinePorts(node.uuid, readModel) : []);
}

async function machinePorts(uuid: string, readModel: ReadModel): Promise<MachinePort[]> {
  const documents = await documentsWith('port', 'node_uuid', uuid, readModel);
  return documents.map(({ json }) => {
    const { address, pxe_enabled: pxeEnabled } = JSON.parse(json) as PortDocument;
    return { address, pxeEnabled };
  });
}
