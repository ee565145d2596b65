import type {
  Act,
  ActingKind,
  EffectValue,
  InspectInterfaceFacts,
  JsonObject,
  MachineQuestion,
  MachineSeen,
  ManagedState,
  Parts,
  PowerTarget,
  ReportedPowerState,
  ToldParts,
  VendorMethod,
  WaitOutcome,
  WorkName,
  WorkStep,
} from '@lib/domain';

/** A machine as an interface sees it while it works on it: secrets opened, for this call only. Never logged. */
export interface Machine {
  readonly uuid: string;
  readonly driver: string;
  readonly driverInfo: JsonObject;
  readonly properties: JsonObject;
  readonly extra: JsonObject;
  readonly instanceInfo: JsonObject;
  readonly bootInterface: string;
  readonly networkInterface: string;
  readonly powerInterface: string;
  readonly managementInterface: string;
  /** The node's `disable_power_off`. */
  readonly disablePowerOff: boolean;
  readonly powerState: ReportedPowerState;
  readonly bootDevice: { readonly device: string; readonly persistent: boolean } | null;
  /** What it told of its settings and firmware, as far as anybody asked. */
  readonly parts?: Parts;
  /** What acts have made of it. */
  readonly managed: ManagedState;
  /** The open inspection's number; of what it left to be cleaned up, that one's; null outside both. */
  readonly attempt: number | null;
  /** When the open inspection began, epoch ms; null or absent outside one. */
  readonly attemptBegunAt?: number | null;
  /** Boot interface that was chosen to boot the ramdisk of the open inspection; null where it is booted from outside. */
  readonly managedBoot: string | null;
  /** Its ports, for calls of a boot interface that boots by them; else none are read. */
  readonly ports: readonly MachinePort[];
}

export interface MachinePort {
  /** MAC address. */
  readonly address: string;
  readonly pxeEnabled: boolean;
}

/** Handed to every call that takes time. */
export interface Call {
  /** Aborted when the effect's limit passes or what it serves no longer stands. */
  readonly signal: AbortSignal;
  /** Another run of the same effect may have done it already: its conductor died, or lost its lease, before the outcome was known. */
  readonly isRepeated?: boolean;
  /** To be asked between two calls to the hardware; throws when what the effect serves no longer stands. */
  stillStands(): Promise<void>;
  /** To be told what was done to the machine on the way, so that it is known also when the call fails later. */
  noticed?(machine: MachineSeen): void;
}

/** A check without touching the hardware: null, or what is wrong in the driver's words (the api answers 400). */
export type Validate = (machine: Machine) => string | null;

export interface PowerInterface {
  readonly validate: Validate;
  /** It knows no machine: `read` repeats what is recorded, and need not be asked again and again. */
  readonly remembersOnly?: true;
  /** Asks the machine; null when it cannot tell. */
  read(machine: Machine, call: Call): Promise<ReportedPowerState>;
  /** Resolves when the change is visible. `changed` is false when nothing had to change. */
  change(
    machine: Machine,
    target: PowerTarget,
    timeoutSeconds: number | null,
    call: Call,
  ): Promise<{ readonly powerState: ReportedPowerState; readonly changed: boolean }>;
}

export interface BootDeviceShown {
  readonly boot_device: string | null;
  readonly persistent: boolean | null;
}

export interface ManagementInterface {
  readonly validate: Validate;
  /** Names that set boot device takes. */
  bootDevices(machine: Machine): readonly string[];
  /** What is remembered of it, or what the machine says. */
  readBootDevice(machine: Machine): BootDeviceShown | Promise<BootDeviceShown>;
  /** What is wrong with this choice, null when it can be set. */
  checkBootDevice(machine: Machine, device: string, persistent: boolean): string | null;
  setBootDevice(machine: Machine, device: string, persistent: boolean, call: Call): Promise<void>;
  /** Addresses of the machine's NICs that work, as its BMC lists them; absent: it can not tell (contract: inspection.md §4.1). */
  macs?(machine: Machine, call: Call): Promise<readonly string[]>;
}

/** Whether an interface can do its part of booting an inspection's ramdisk (contract: inspection.md §4.1). */
export type InspectionSupport =
  | { readonly verdict: 'supported' }
  /** Not for this machine; something outside may boot it. */
  | { readonly verdict: 'unsupported'; readonly reason: string }
  /** It could, if a parameter were not missing or wrong: the inspection is refused. */
  | { readonly verdict: 'missing parameter'; readonly reason: string };

export type PreparedBoot = NonNullable<MachineSeen['bootDevice']> & Pick<MachineSeen, 'agentTokenDigest'>;

export interface BootInterface {
  readonly validate: Validate;
  /** Its calls look at the ports of the machine. */
  readonly bootsByPort: boolean;
  validateInspection(machine: Machine): InspectionSupport;
  /**
   * Prepares the boot of the machine's open attempt with these kernel parameters (`name` or `name=value`), and may set the
   * boot device, which it then answers with; and so it does with the digest of a token that it made for the agent and put where
   * the machine boots from. May be called again for the same attempt.
   */
  prepareRamdisk(machine: Machine, kernelParameters: readonly string[], call: Call): Promise<PreparedBoot | null>;
  /**
   * Takes away what was prepared for this attempt and older ones; nothing where nothing is left. `driverInfo`: absent where the
   * node is gone and its secrets could not be opened.
   */
  cleanUpRamdisk(
    machine: Pick<Machine, 'uuid' | 'attempt'> & Partial<Pick<Machine, 'driverInfo'>>,
    call: Call,
  ): Promise<void>;
}

export interface NetworkInterface {
  readonly validate: Validate;
  validateInspection(machine: Machine): InspectionSupport;
}

/** What an introspection has come to, as the inspector tells (contract: inspection.md §9.5). */
export type IntrospectionReport =
  | { readonly state: 'running' | 'unknown' }
  | {
      readonly state: 'ended';
      /** Epoch ms. */
      readonly startedAt: number;
      readonly error: string | null;
      /** Stored data of a finished run; null when there is none to be had. */
      readonly data: JsonObject | null;
    };

/** The base of inspect interfaces: what one does not offer is refused by the rules (contract: inspection.md §3.3). */
export interface InspectInterface {
  readonly facts: InspectInterfaceFacts;
  readonly validate: Validate;
  /**
   * Whether its start will have the boot interface boot the ramdisk; asked before it, so that the answer is written down
   * first. Absent: never.
   */
  managesBoot?(machine: Machine): boolean;
  /** The start routine; what it returns decides what becomes of the node (contract: inspection.md §3.1). */
  inspect(machine: Machine, call: Call): Promise<InspectResult>;
  /** With `facts.startsIntrospection`: tells the inspector to start. */
  startIntrospection?(machine: Machine, options: { readonly manageBoot: boolean }, call: Call): Promise<void>;
  /** With `facts.startsIntrospection`: hands on what a ramdisk posted to us. Rejects where the peer can not be reached. */
  forward?(machine: Machine, data: JsonObject, call: Call): Promise<void>;
  /** With `facts.abort`: resolves when the peer has accepted. */
  abort?(machine: Machine, call: Call): Promise<void>;
  /** Interfaces whose peer is asked for its status while the node waits. `machine` opens the node's secrets. */
  report?(nodeUuid: string, call: Call, machine?: () => Promise<Machine>): Promise<IntrospectionReport>;
  /**
   * With `facts.hearsOfEndings`: the attempt, which had been in `inspect wait`, has ended. Once for each such attempt; with the
   * same `key` again where a conductor died before it could note that this had been called (contract: inspection.md §9.5, RULE).
   */
  leftInspectWait?(machine: Machine, ending: WaitEnding, call: Call): Promise<void>;
}

export interface WaitEnding {
  readonly outcome: WaitOutcome;
  readonly attempt: number;
  /** The same for every call about this attempt, and for no other one of any node. */
  readonly key: string;
}

export interface InspectResult extends Omit<EffectValue, 'inventory'> {
  /** What a synchronous inspection found: stored before the node is done. */
  readonly data?: { readonly inventory: JsonObject; readonly pluginData: JsonObject };
  /**
   * Hooks that are run over that data; then it is stored, inspection rules are carried out, and the ports are brought in line
   * (contract: redfish.md §4, row 11). Absent: it is stored as it is, and that is all.
   */
  readonly hooks?: readonly string[];
  /** With `hooks`: properties without which, at the end of that, the inspection has failed. */
  readonly essential?: readonly string[];
  /** For the operator's log. */
  readonly warnings?: readonly string[];
}

/** One call's share of lifecycle work. */
export interface WorkPiece {
  readonly work: WorkName;
  /** The step to take, secrets opened. Null: work that has no steps; once `resumed`, what is left after the last one. */
  readonly step: WorkStep | null;
  /** The ramdisk has called back since the piece before. */
  readonly resumed: boolean;
  /** False: the work is to do without its ramdisk. */
  readonly ramdisk: boolean;
  /** Not the work, but what its abort leaves to be done. */
  readonly aborted: boolean;
}

/** Deploy and rescue interfaces: lifecycle work, each piece of it one call. */
export interface LifecycleInterface {
  /** What it offers; any other work is refused before anything changes. */
  readonly works: readonly WorkName[];
  readonly validate: Validate;
  /**
   * Steps that it takes without being asked, beside those that came with a request to deploy: by their priority, the highest
   * first, those with 0 not at all. `clean`: of automated cleaning; none, and that is one piece. They hold no secrets.
   */
  ownSteps(work: WorkName): readonly WorkStep[];
  /**
   * Resolves when the piece is done, or with `waits` when the ramdisk will call back. May be called again for the same
   * piece. What it rejects with is the reason of the failure.
   */
  work(machine: Machine, piece: WorkPiece, call: Call): Promise<EffectValue>;
}

export type LifecycleKind = 'deploy' | 'rescue';

/** Why an act or a question is refused before anything changes: not offered at all, or not like this. */
export type ActRefusal = { readonly unsupported: string } | { readonly problem: string };

/** What console, management and vendor interfaces offer beside boot devices (contract: node-api.md §12, §13, §21, §22). */
export interface ActingInterface {
  readonly validate: Validate;
  /** By name; empty where there are none. */
  readonly vendorMethods: Readonly<Record<string, VendorMethod>>;
  /** Null where the act can be asked for. */
  check(machine: Machine, act: Act): ActRefusal | null;
  /** Resolves when it is done, with what a vendor method answers. What it rejects with is the reason of the failure. */
  carryOut(machine: Machine, act: Act, call: Call): Promise<unknown>;
  /** Changes nothing. The answer is JSON in the shape of the contract. */
  ask(machine: Machine, question: MachineQuestion): Promise<{ readonly answer: unknown } | ActRefusal>;
}

/** A step of the interface's own, under the same terms as `LifecycleInterface.work`. */
export type TakeStep = (machine: Machine, piece: WorkPiece, call: Call) => Promise<EffectValue>;

/** BIOS and firmware interfaces: what a machine tells of its parts, read while its credentials are verified. */
export interface PartsInterface {
  /** Absent: it knows no steps. */
  readonly takeStep?: TakeStep;
  readonly validate: Validate;
  read(machine: Machine, call: Call): Promise<ToldParts>;
}

export type PartsKind = 'bios' | 'firmware';

export interface RaidInterface {
  /** Absent: it knows no steps. */
  readonly takeStep?: TakeStep;
  readonly validate: Validate;
  /** What is wrong with a wanted configuration, null when it can be stored. */
  checkConfig(machine: Machine, config: JsonObject): string | null;
}

/** The interfaces of drivers, by kind and name. */
export interface HardwareRegistry {
  inspect(name: string): InspectInterface;
  power(name: string): PowerInterface;
  management(name: string): ManagementInterface;
  boot(name: string): BootInterface;
  network(name: string): NetworkInterface;
  lifecycle(kind: LifecycleKind, name: string): LifecycleInterface;
  acting(kind: ActingKind, name: string): ActingInterface;
  /** Null: without RAID. */
  raid(name: string): RaidInterface | null;
  /** Null: tells of nothing. */
  parts(kind: PartsKind, name: string): PartsInterface | null;
  /** One verdict per interface type of a node (contract: node-api.md §14). */
  validateAll(
    machine: Machine,
    interfaces: Readonly<Record<string, string>>,
  ): Record<string, { result: boolean; reason?: string }>;
}
