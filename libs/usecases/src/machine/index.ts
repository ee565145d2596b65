import { isSealed } from '@lib/domain';
import type { JsonObject, Node } from '@lib/domain';
import type { Machine, SecretBox } from '@lib/ports';

/** A free object with its sealed values opened. */
async function opened(value: unknown, box: SecretBox): Promise<unknown> {
  if (isSealed(value)) return box.open(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => opened(item, box)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = await Promise.all(Object.entries(value).map(async ([key, inner]) => [key, await opened(inner, box)]));
  return Object.fromEntries(entries);
}

/** The node as its interfaces see it: secrets in the clear, for one call. */
export async function machineOf(node: Node, box: SecretBox): Promise<Machine> {
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
    attempt: node.inspection?.attempt ?? null,
  };
}
