import type { HookOptions, JsonObject, NodeFields } from '@lib/domain';
import type { Call, Machine } from '@lib/ports';
import { hastyClock } from '@lib/testing/hasty-clock';
import { aMachine, bmcAccount, RedfishBmc } from '@lib/testing/redfish-bmc';
import type { BmcMachine, BmcOptions } from '@lib/testing/redfish-bmc';
import {
  BmcConnections,
  redfishActs,
  redfishInspect,
  redfishManagement,
  redfishPower,
} from '@lib/adapters/hardware-redfish';
import type { RedfishOptions } from '@lib/adapters/hardware-redfish';
import { processFound } from '@lib/usecases';
import type { Hooked } from '@lib/usecases';

/** A minute is three seconds: waits are real, and short. */
export const clock = hastyClock(20);

/** As shipped, but for limits that a busy machine must not come to; specs of those set their own. */
export const usual: RedfishOptions = {
  authType: 'auto',
  verifyCa: true,
  connectionAttempts: 5,
  connectionRetryMs: 4000,
  serverErrorAttempts: 10,
  serverErrorRetryMs: 3000,
  connectTimeoutMs: 600_000,
  readTimeoutMs: 600_000,
  questionMs: 600_000,
  connectionsMax: 1000,
  powerChangeMs: 600_000,
  softPowerOffMs: 600_000,
  hooks: ['validate-interfaces', 'ports', 'architecture'],
};

export const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A BMC with one machine, and the interfaces that speak to it. */
export class Bed {
  readonly connections: BmcConnections;
  readonly abort = new AbortController();
  private constructor(
    readonly bmc: RedfishBmc,
    readonly options: RedfishOptions,
  ) {
    this.connections = new BmcConnections(options, clock);
  }

  static async open(
    machine: Partial<BmcMachine> = {},
    options: Partial<RedfishOptions> = {},
    bmc: Partial<BmcOptions> = {},
  ): Promise<Bed> {
    const served = await RedfishBmc.start({ machines: [aMachine(machine)], clock, ...bmc });
    return new Bed(served, { ...usual, ...options });
  }

  get power() {
    return redfishPower(this.connections, this.options, clock);
  }

  get management() {
    return redfishManagement(this.connections, this.options, clock);
  }

  get acts() {
    return redfishActs(this.connections, this.options, clock);
  }

  get inspect() {
    return redfishInspect(this.connections, this.options);
  }

  /** What an inspection finds, and what the hooks make of it. */
  async inspected(known: JsonObject = {}, differs: Partial<HookOptions> = {}): Promise<Hooked> {
    const result = await this.inspect.inspect(this.machine({ properties: known }), this.call);
    const { data, hooks, properties = {}, warnings = [] } = result;
    if (result.returned !== 'MANAGEABLE' || !data || !hooks) throw new Error('nothing was found');
    const node = { fields: { properties: known } as NodeFields, inventory: null };
    const reader = { readBlob: () => Promise.resolve(null) };
    const hookOptions: HookOptions = { addPorts: 'pxe', keepPorts: 'all', updatePxeEnabled: true, ...differs };
    const hooked = await processFound({ data, hooks, properties }, node, { hookOptions }, reader);
    return { ...hooked, warnings: [...warnings, ...hooked.warnings] };
  }

  readonly call: Call = { signal: this.abort.signal, stillStands: () => Promise.resolve() };

  machine(differs: Partial<Machine> = {}): Machine {
    return {
      uuid: 'n',
      driver: 'redfish',
      driverInfo: this.info(),
      properties: {},
      extra: {},
      instanceInfo: {},
      bootInterface: 'ipxe',
      networkInterface: 'noop',
      powerInterface: 'redfish',
      managementInterface: 'redfish',
      disablePowerOff: false,
      powerState: null,
      bootDevice: null,
      managed: {
        consoleEnabled: false,
        bootMode: null,
        secureBoot: null,
        targetRaidConfig: {},
        indicators: {},
        media: [],
      },
      attempt: 1,
      managedBoot: null,
      ports: [],
      ...differs,
    };
  }

  info(differs: Record<string, unknown> = {}): Record<string, unknown> {
    const { username, password } = bmcAccount;
    return {
      redfish_address: this.bmc.url,
      redfish_system_id: '/redfish/v1/Systems/1',
      redfish_username: username,
      redfish_password: password,
      ...differs,
    };
  }

  async close(): Promise<void> {
    this.abort.abort();
    this.connections.close();
    await this.bmc.stop();
  }
}
