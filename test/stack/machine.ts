import type { Api } from './api';
import { httpCall } from './http-call';
import { until } from './until';

export interface MachineOptions {
  /** Fixed, to find the machine under its own name in several stacks; drawn by the server otherwise. */
  readonly uuid?: string;
  readonly name?: string;
  readonly mac: string;
  /** Seconds; 0 = never. */
  readonly inspectWaitTimeout?: number;
  /** What the inspector's simulator plays for it; without one it waits for a callback. */
  readonly script?: string;
  readonly after?: number;
}

/** Enrolls a machine with one port, in-band inspected, and brings it to `manageable`. Returns its uuid. */
export const enroll = async (api: Api, options: MachineOptions): Promise<string> => {
  const { uuid: wanted, name, mac, inspectWaitTimeout, script, after } = options;
  const created = await api.must(201, 'POST', '/v1/nodes', {
    driver: 'fake-hardware',
    inspect_interface: 'inspector',
    ...(wanted === undefined ? {} : { uuid: wanted }),
    ...(name === undefined ? {} : { name }),
    ...(inspectWaitTimeout === undefined ? {} : { driver_info: { inspect_wait_timeout: inspectWaitTimeout } }),
    ...(script === undefined ? {} : { extra: { simulator: { script, ...(after === undefined ? {} : { after }) } } }),
  });
  const { uuid } = created.json as { uuid: string };
  await api.must(201, 'POST', '/v1/ports', { node_uuid: uuid, address: mac });
  await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
  await api.state(uuid, 'manageable');
  return uuid;
};

/** Starts an inspection and waits until the machine waits for its ramdisk. */
export const inspect = async (api: Api, uuid: string): Promise<void> => {
  await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
  await api.state(uuid, 'inspect wait', { everyMs: 20 });
};

/** What the inspector itself says of a machine; undefined when it knows nothing. */
export const inspectorState = async (inspectorUrl: string, uuid: string): Promise<unknown> => {
  const { json } = await httpCall(inspectorUrl, { method: 'GET', path: `/v1/introspection/${uuid}` });
  return (json as { state?: unknown } | undefined)?.state;
};

/** Waits until the inspector is through with starting: boot device set, power on, waiting for the ramdisk. */
export const inspectorWaits = (inspectorUrl: string, uuid: string): Promise<true> =>
  until(
    `the inspector waits for ${uuid}`,
    async () => (await inspectorState(inspectorUrl, uuid)) === 'waiting' && true,
  );

/** Removes a machine, whatever state it is in. */
export const discard = async (api: Api, uuid: string): Promise<void> => {
  await api.send('PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'test over' });
  await api.send('DELETE', `/v1/nodes/${uuid}`);
};

/** What a ramdisk posts that booted from the card with this address. */
export const ramdiskReport = (mac: string): unknown => ({
  boot_interface: `01-${mac.replaceAll(':', '-')}`,
  root_disk: { name: '/dev/sda', size: 107_374_182_400, model: 'QEMU HARDDISK', rotational: true },
  inventory: {
    interfaces: [{ name: 'eth0', mac_address: mac, ipv4_address: '192.0.2.10', has_carrier: true, lldp: null }],
    cpu: { count: 4, architecture: 'x86_64', model_name: 'QEMU Virtual CPU', frequency: '2400', flags: [] },
    memory: { total: 8_589_934_592, physical_mb: 8192 },
    disks: [{ name: '/dev/sda', size: 107_374_182_400, model: 'QEMU HARDDISK', rotational: true }],
    boot: { current_boot_mode: 'bios', pxe_interface: mac },
    system_vendor: { product_name: 'KVM', serial_number: '', manufacturer: 'QEMU' },
    bmc_address: '0.0.0.0',
    hostname: 'ramdisk',
  },
});

/** A unicast address of its own for each number below 2^24. */
export const macOf = (number: number): string =>
  ['52', '54', '00', ...[16, 8, 0].map((shift) => ((number >> shift) & 0xff).toString(16).padStart(2, '0'))].join(':');
