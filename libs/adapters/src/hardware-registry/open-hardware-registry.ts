import { lookup } from 'node:dns/promises';
import type { ActingKind } from '@lib/domain';
import type {
  ActingInterface,
  BootInterface,
  Chance,
  Clock,
  HardwareRegistry,
  InspectInterface,
  LifecycleInterface,
  LifecycleKind,
  Logger,
  ManagementInterface,
  MessageBus,
  NetworkInterface,
  PowerInterface,
  RaidInterface,
} from '@lib/ports';
import { InterfacesByName } from '../extensions';
import { pxeBoot } from '../boot-pxe';
import type { PxeSettings } from '../boot-pxe';
import type { RamdiskSettings } from '../boot-ramdisk';
import {
  fakeBoot,
  fakeConsole,
  fakeDeploy,
  fakeInspect,
  fakeManagement,
  fakeManagementActs,
  fakeParts,
  fakePower,
  fakeRaid,
  fakeRescue,
  fakeVendor,
  noopManagement,
  noopNetwork,
} from '../hardware-fake';
import type { InspectDelay } from '../hardware-fake';
import { refusingActing } from '../hardware-acting';
import {
  refusingBoot,
  refusingInspect,
  refusingLifecycle,
  refusingManagement,
  refusingNetwork,
  refusingPower,
} from '../hardware-refusing';
import {
  BmcConnections,
  redfishActs,
  redfishInspect,
  redfishManagement,
  redfishMediaBoot,
  redfishPower,
} from '../hardware-redfish';
import type { RedfishOptions } from '../hardware-redfish';
import { agentInterface } from '../inspect-agent';
import { inspectorInterface, overBus, overHttp } from '../inspect-inspector';
import type { HttpPeer, ResolveHost } from '../inspect-inspector';
import { validateAll } from './validate-all';

export interface HardwareOptions {
  /** `[fake] inspect_delay`. */
  readonly inspectDelay: InspectDelay;
  /** `[inspector] timeout`: longest time of one call to the inspector. */
  readonly inspectorTimeoutMs: number;
  /** `[inspector] endpoint_override` and what is needed to get in there; null: the one on the message bus is asked. */
  readonly inspectorOverHttp: HttpPeer | null;
  /** `[inspector] require_managed_boot`. */
  readonly requireManagedBoot: boolean | null;
  /** What ramdisks that we boot are told. */
  readonly ramdisk: RamdiskSettings;
  /** `[inspector] callback_endpoint_override`, else the address of the inspector that is asked. */
  readonly inspectorEndpoint: string;
  readonly pxe: PxeSettings;
  /** Absent: no BMC is spoken to, and the interfaces `redfish` refuse. */
  readonly redfish?: RedfishOptions;
}

export interface HardwareRegistryDeps {
  readonly bus: MessageBus;
  /** Prefix of the bus subjects. */
  readonly prefix: string;
  readonly settings: HardwareOptions;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  /** The system's resolver unless given. */
  readonly resolveHost?: ResolveHost;
  /** Interfaces that are not ours, none unless given. */
  readonly extensions?: InterfacesByName;
}

const systemResolver: ResolveHost = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Interfaces that others lean on. */
type Lookups = Pick<HardwareRegistry, 'boot' | 'management' | 'network' | 'power'>;

function inspectInterfaces(
  deps: HardwareRegistryDeps,
  lookups: Lookups,
  redfish: OverRedfish | null,
): ReadonlyMap<string, InspectInterface> {
  const { bus, prefix, settings, clock, chance, logger, resolveHost = systemResolver } = deps;
  const { inspectDelay, inspectorTimeoutMs: timeoutMs, requireManagedBoot, ramdisk, inspectorEndpoint } = settings;
  const { inspectorOverHttp: peer } = settings;
  const transport = peer ? overHttp(peer, timeoutMs, clock) : overBus({ bus, prefix, timeoutMs });
  const inBand = { requireManagedBoot, ramdisk, resolveHost, clock, logger, ...lookups };
  return byName<InspectInterface>({
    fake: fakeInspect(inspectDelay, clock, chance),
    inspector: inspectorInterface({ ...inBand, transport, callbackEndpoint: inspectorEndpoint }),
    agent: agentInterface(inBand),
    redfish: redfish?.inspect,
  });
}

const bootInterfaces = (
  { pxe }: HardwareOptions,
  management: Lookups['management'],
  redfish: OverRedfish | null,
): ReadonlyMap<string, BootInterface> =>
  byName<BootInterface>({
    fake: fakeBoot,
    pxe: pxeBoot('pxe', pxe, management),
    ipxe: pxeBoot('ipxe', pxe, management),
    'redfish-virtual-media': redfish?.mediaBoot,
  });

/** The interfaces of a hardware type that shares its connections between them. */
interface OverRedfish {
  readonly power: PowerInterface;
  readonly management: ManagementInterface;
  readonly managementActs: ActingInterface;
  readonly inspect: InspectInterface;
  readonly mediaBoot: BootInterface;
}

function overRedfish({ settings: { redfish, pxe }, clock, chance }: HardwareRegistryDeps): OverRedfish | null {
  if (!redfish) return null;
  const connections = new BmcConnections(redfish, clock);
  return {
    power: redfishPower(connections, redfish, clock),
    management: redfishManagement(connections, redfish, clock),
    managementActs: redfishActs(connections, redfish, clock),
    inspect: redfishInspect(connections, redfish),
    mediaBoot: redfishMediaBoot(connections, redfish, clock, chance, pxe),
  };
}

/** By name; an interface that is absent is refused like any that is not known. */
const byName = <T>(interfaces: Readonly<Record<string, T | undefined>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(interfaces).filter((entry): entry is [string, T] => entry[1] !== undefined));

const ownNetwork = (name: string): NetworkInterface => (name === 'noop' ? noopNetwork : refusingNetwork(name));

const fakes: Readonly<Record<LifecycleKind, LifecycleInterface>> = { deploy: fakeDeploy, rescue: fakeRescue };

const actsOf = { console: 'console', management: 'managementActs', vendor: 'vendor' } as const;

const raids: ReadonlyMap<string, RaidInterface> = new Map([['fake', fakeRaid]]);

/**
 * The interfaces that this release serves, and those of extensions, whose names are others. A name that is known but not
 * served, or was served by another release that created the node, gets an interface that refuses every call.
 */
export function openHardwareRegistry(deps: HardwareRegistryDeps): HardwareRegistry {
  const { extensions: added = new InterfacesByName() } = deps;
  const redfish = overRedfish(deps);
  const powers = byName<PowerInterface>({ fake: fakePower, redfish: redfish?.power });
  const managements = byName<ManagementInterface>({
    fake: fakeManagement,
    noop: noopManagement,
    redfish: redfish?.management,
  });
  const acts: Readonly<Record<ActingKind, ReadonlyMap<string, ActingInterface>>> = {
    console: byName({ fake: fakeConsole }),
    management: byName<ActingInterface>({ fake: fakeManagementActs, redfish: redfish?.managementActs }),
    vendor: byName({ fake: fakeVendor }),
  };
  const management: Lookups['management'] = (name) =>
    managements.get(name) ?? added.get('management', name) ?? refusingManagement(name);
  const boots = bootInterfaces(deps.settings, management, redfish);
  const lookups: Lookups = {
    management,
    power: (name) => powers.get(name) ?? added.get('power', name) ?? refusingPower(name),
    boot: (name) => boots.get(name) ?? added.get('boot', name) ?? refusingBoot(name),
    network: (name) => added.get('network', name) ?? ownNetwork(name),
  };
  const inspects = inspectInterfaces(deps, lookups, redfish);
  const registry: HardwareRegistry = {
    ...lookups,
    inspect: (name) => inspects.get(name) ?? added.get('inspect', name) ?? refusingInspect(name),
    lifecycle: (kind, name) =>
      name === 'fake' ? fakes[kind] : (added.get(kind, name) ?? refusingLifecycle(kind, name)),
    acting: (kind, name) => acts[kind].get(name) ?? added.get(actsOf[kind], name) ?? refusingActing(kind, name),
    raid: (name) => raids.get(name) ?? added.get('raid', name),
    parts: (kind, name) => (name === 'fake' ? fakeParts[kind] : added.get(kind, name)),
    validateAll: (machine, interfaces) => validateAll(machine, interfaces, registry, added),
  };
  return registry;
}
