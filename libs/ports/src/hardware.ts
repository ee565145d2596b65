import type {
  EffectValue,
  InspectInterfaceFacts,
  JsonObject,
  MachineSeen,
  PowerTarget,
  ReportedPowerState,
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
  /** The open inspection's number, null outside one. */
  readonly attempt: number | null;
}

/** Handed to every call that takes time. */
export interface Call {
  /** Aborted when the effect's limit passes or what it serves no longer stands. */
  readonly signal: AbortSignal;
  /** To be asked between two calls to the hardware; throws when what the effect serves no longer stands. */
  stillStands(): Promise<void>;
  /** To be told what was done to the machine on the way, so that it is known also when the call fails later. */
  noticed?(machine: MachineSeen): void;
}

/** A check without touching the hardware: null, or what is wrong in the driver's words (the api answers 400). */
export type Validate = (machine: Machine) => string | null;

export interface PowerInterface {
  readonly validate: Validate;
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

export interface ManagementInterface {
  readonly validate: Validate;
  /** Names that set boot device takes. */
  bootDevices(machine: Machine): readonly string[];
  readBootDevice(machine: Machine): { readonly boot_device: string | null; readonly persistent: boolean | null };
  /** What is wrong with this choice, null when it can be set. */
  checkBootDevice(machine: Machine, device: string, persistent: boolean): string | null;
  setBootDevice(machine: Machine, device: string, persistent: boolean, call: Call): Promise<void>;
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
  /** The start routine; what it returns decides what becomes of the node (contract: inspection.md §3.1). */
  inspect(machine: Machine, call: Call): Promise<InspectResult>;
  /** With `facts.startsIntrospection`: tells the inspector to start. */
  startIntrospection?(machine: Machine, options: { readonly manageBoot: boolean }, call: Call): Promise<void>;
  /** With `facts.abort`: resolves when the peer has accepted. */
  abort?(machine: Machine, call: Call): Promise<void>;
  /** Interfaces whose peer is asked for its status while the node waits. */
  report?(nodeUuid: string, call: Call): Promise<IntrospectionReport>;
}

export interface InspectResult extends Omit<EffectValue, 'inventory'> {
  /** What a synchronous inspection found: stored before the node is done. */
  readonly data?: { readonly inventory: JsonObject; readonly pluginData: JsonObject };
}

/** A piece of lifecycle work of a driver (verify is the power interface's; clean may have nothing to do). */
export interface HardwareRegistry {
  inspect(name: string): InspectInterface;
  power(name: string): PowerInterface;
  management(name: string): ManagementInterface;
  /** One verdict per interface type of a node (contract: node-api.md §14). */
  validateAll(
    machine: Machine,
    interfaces: Readonly<Record<string, string>>,
  ): Record<string, { result: boolean; reason?: string }>;
}
