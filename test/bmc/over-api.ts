import { openHardwareRegistry } from '@lib/adapters/hardware-registry';
import type { HardwareOptions } from '@lib/adapters/hardware-registry';
import type { RedfishOptions } from '@lib/adapters/hardware-redfish';
import { systemChance } from '@lib/adapters/system-clock';
import type { Clock } from '@lib/ports';
import { aMachine, bmcAccount, RedfishBmc } from '@lib/testing/redfish-bmc';
import type { BmcMachine, BmcOptions } from '@lib/testing/redfish-bmc';
import { PREFIX, Whole, type Client } from '../whole';
import type { Values } from '../whole';
import { usual } from './bed';

const hardware: HardwareOptions = {
  inspectDelay: { firstSeconds: 0, secondSeconds: null },
  inspectorTimeoutMs: 10_000,
  inspectorOverHttp: null,
  requireManagedBoot: null,
  ramdisk: { apiUrl: 'http://192.0.2.1:6385', extraKernelParameters: [], forceDhcp: false, fastTrack: false },
  inspectorEndpoint: 'http://192.0.2.1:5050',
  pxe: { tftpRoot: '/nonexistent', httpRoot: '/nonexistent', httpUrl: null, deployKernel: null, deployRamdisk: null },
};

type Shown = Readonly<Record<string, unknown>>;

/** The services, and BMCs of nodes of the type redfish, on one clock. */
export class OverApi {
  /** Of the node that was made last. */
  bmc!: RedfishBmc;
  /** Of that BMC; a spec may change which there are. */
  machines: BmcMachine[] = [];

  private constructor(
    readonly whole: Whole,
    readonly api: Client,
    readonly clock: Clock,
  ) {}

  static async start(
    redfish: Partial<RedfishOptions> = {},
    settings: Values = {},
    differs: Partial<HardwareOptions> = {},
  ): Promise<OverApi> {
    let clock: Clock | null = null;
    const enabled = { enabled_hardware_types: 'redfish', enabled_inspect_interfaces: 'redfish,agent' };
    const whole = await Whole.start({
      settings: { ...settings, DEFAULT: enabled },
      hardware: (of, bus, logger) => {
        clock = of;
        const options = { ...hardware, redfish: { ...usual, ...redfish }, ...differs };
        return openHardwareRegistry({
          bus,
          prefix: PREFIX,
          settings: options,
          clock: of,
          chance: systemChance,
          logger,
        });
      },
    });
    if (!clock) throw new Error('the conductor asked for no hardware');
    return new OverApi(whole, await whole.api(), clock);
  }

  stop(): Promise<void> {
    return this.whole.stop();
  }

  /** `stepMs`: how much time passes between two looks, which are what takes long. */
  until(what: string, uuid: string, holds: (node: Shown) => boolean, stepMs = 1000): Promise<void> {
    return this.whole.until(what, async () => holds((await this.api.node(uuid)) as Shown), stepMs);
  }

  /** A node that its BMC has verified. */
  async managed(
    differs: Partial<BmcMachine> = {},
    info: Shown = {},
    options: Partial<BmcOptions> = {},
    { inspect = 'redfish', ...fields }: Shown & { readonly inspect?: 'redfish' | 'agent' } = {},
  ): Promise<string> {
    this.machines = [aMachine(differs)];
    this.bmc = await RedfishBmc.start({ machines: this.machines, clock: this.clock, ...options });
    const { username: redfish_username, password: redfish_password } = bmcAccount;
    const system = { redfish_address: this.bmc.url, redfish_system_id: '/redfish/v1/Systems/1' };
    const driver_info = { ...system, redfish_username, redfish_password, ...info };
    const uuid = await this.api.machine({ inspect, fields: { driver: 'redfish', driver_info, ...fields } });
    await this.until(
      'it is manageable',
      uuid,
      (node) => node['provision_state'] === 'manageable' && !node['reservation'],
    );
    return uuid;
  }
}
