/** A simulated inspector on a manual clock, and a Bare Metal API of one node that keeps its state: for the specs of the use case. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultHookOptions, type JsonObject } from '@lib/domain/introspection';
import type { Logger } from '@lib/ports';
import { ManualClock } from '@lib/testing';
import {
  type BareMetalApi,
  BareMetalApiError,
  type InspectorOptions,
  type InspectorParts,
  type NodeDocument,
  type PortDocument,
  SimulatedInspector,
  withRetries,
} from '@lib/usecases/simulated-inspector';

export const NODE = '11111111-2222-4333-8444-555555555555';
export const MAC = '52:54:00:12:34:46';
export const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const template = JSON.parse(
  readFileSync(join(__dirname, '../../apps/inspector-simulator/src/inventories/small.json'), 'utf8'),
) as JsonObject;

export const dataOf = (mac: string, changes: JsonObject = {}): JsonObject => ({
  inventory: {
    interfaces: [{ name: 'eth0', mac_address: mac, ipv4_address: '192.0.2.10' }],
    cpu: { count: 4, architecture: 'x86_64', flags: ['vmx', 'aes'] },
    memory: { physical_mb: 8192 },
    disks: [],
    boot: { pxe_interface: mac },
  },
  root_disk: { name: '/dev/sda', size: 107374182400 },
  logs: 'bWFueQ==',
  ...changes,
});

/** One node of a Bare Metal API that keeps its state; calls are noted, and fail when told to. */
export class FakeApi implements BareMetalApi {
  readonly calls: string[] = [];
  readonly faults = new Map<string, BareMetalApiError[]>();
  provisionState = 'inspect wait';
  driverInfo: JsonObject = {};
  extra: JsonObject = {};
  properties: JsonObject = {};
  portList: PortDocument[] = [{ uuid: 'p1', address: MAC, pxeEnabled: true }];
  powerOk: string | null = null;
  gone = false;

  private async call<T>(name: string, value: T): Promise<T> {
    this.calls.push(name);
    const fault = this.faults.get(name.split(' ')[0] ?? '')?.shift();
    if (fault) throw fault;
    return value;
  }
  async node(ident: string): Promise<NodeDocument | null> {
    await this.call('node', null);
    if (this.gone || (ident !== NODE && ident !== 'n.1')) return null;
    const { driverInfo, properties, extra, provisionState } = this;
    const document = { uuid: NODE, driver_info: driverInfo, properties, extra };
    return { uuid: NODE, name: 'n.1', provisionState, driverInfo, properties, extra, disablePowerOff: false, document };
  }
  powerProblem = () => this.call('validate', this.powerOk);
  ports = () => this.call('ports', this.portList);
  setBootDevice = (_uuid: string, device: string, persistent: boolean) =>
    this.call(`boot ${device} ${persistent}`, undefined);
  setPower = (_uuid: string, target: string) => this.call(`power ${target}`, undefined);
  async patchNode(_uuid: string, patch: readonly { path: string; value?: unknown }[]): Promise<void> {
    await this.call('patch', null);
    for (const { path, value } of patch)
      this.properties = { ...this.properties, [path.replace('/properties/', '')]: value };
  }
  createPort = (port: { address: string }) => this.call(`createPort ${port.address}`, true);
  patchPort = (uuid: string) => this.call(`patchPort ${uuid}`, undefined);
  removePort = (uuid: string) => this.call(`removePort ${uuid}`, undefined);
  addTrait = (_uuid: string, name: string) => this.call(`addTrait ${name}`, undefined);
  removeTrait = (_uuid: string, name: string) => this.call(`removeTrait ${name}`, undefined);
  nodeUuids = () => this.call('nodeUuids', new Set(this.gone ? [] : [NODE]));
}

/** What may be handed in: the clock and the API of a world before a restart, what it knew, machines that others boot. */
type Given = Partial<Pick<InspectorParts, 'machines' | 'memory' | 'discovery'>> & {
  clock?: ManualClock;
  api?: FakeApi;
};

export const setUp = (options: Partial<InspectorOptions> = {}, given: Given = {}) => {
  const { clock = new ManualClock(0), api = new FakeApi(), ...parts } = given;
  const inspector = new SimulatedInspector({
    api: withRetries(api, clock, { triesMax: 5, pauseMs: 1000 }),
    clock,
    chance: { uuid: () => '99999999-2222-4333-8444-555555555555', bytes: (n) => new Uint8Array(n), random: () => 0 },
    logger: quiet,
    ...parts,
    resolveHost: async (host) => (host === 'bmc.example' ? ['192.0.2.50'] : []),
    options: {
      timeoutMs: 3_600_000,
      cleanUpPeriodMs: 60_000,
      canManageBoot: true,
      powerOff: true,
      storeData: true,
      listMax: 1000,
      hooks: defaultHookOptions,
      fleet: null,
      inventories: [{ name: 'small', payload: template }],
      latePollMs: 1000,
      ...options,
    },
  });
  const settle = (): Promise<void> => clock.advanceBy(0);
  const status = async (): Promise<JsonObject> => (await inspector.status('rest', NODE)).body as JsonObject;
  const start = async (): Promise<number> => {
    const { status: code } = await inspector.start('rest', NODE, { manageBoot: true });
    await settle();
    return code;
  };
  const ramdiskLog = () => inspector.requests.read(NODE).filter((entry) => entry.via === 'ramdisk');
  return { clock, api, inspector, settle, status, start, ramdiskLog };
};
