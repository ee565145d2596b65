/** Bytes. */
export interface BmcDrive {
  readonly name: string;
  readonly capacityBytes: number | null;
  readonly mediaType?: string;
  readonly serialNumber?: string;
}

export interface BmcNic {
  readonly id: string;
  readonly mac: string;
  readonly speedMbps?: number | null;
  readonly state?: string;
  readonly health?: string | null;
}

export interface BmcProcessor {
  readonly threads: number | null;
  readonly model?: string | null;
  readonly maxSpeedMhz?: number | null;
  readonly instructionSet?: string | null;
}

export type BmcPower = 'On' | 'Off' | 'PoweringOn' | 'PoweringOff' | 'Paused' | null;

/** A machine as its BMC knows it. What can be asked for changes it; a spec may change it as well. */
export interface BmcMachine {
  readonly id: string;
  readonly name: string;
  readonly uuid: string;
  power: BmcPower;
  boot: { enabled: string; target: string; mode: string | null };
  /** Null: it has no such resource. */
  secureBoot: { enabled: boolean; current: string } | null;
  indicator: string;
  memoryGib: number | null;
  processors: readonly BmcProcessor[];
  /** Null: it offers no `Storage`. */
  drives: readonly BmcDrive[] | null;
  /** Capacities; empty: drives without volumes. */
  volumes: readonly number[];
  /** Null: it offers no `SimpleStorage`. */
  simpleStorage: readonly (BmcDrive & { readonly state: string })[] | null;
  /** Null: the system has no link to them. */
  nics: readonly BmcNic[] | null;
  /** Attached images by the id of the device: null where none is. */
  readonly media: Record<string, string | null>;
  /** A change of power is seen after this time; null: never. */
  powerDelayMs: number | null;
  /** Values that a reset takes. */
  resetTypes: readonly string[] | null;
  /** Values that a boot device takes. */
  bootTargets: readonly string[] | null;
  /** A reset into the state that the machine has is answered 409. */
  refusesSameState: boolean;
  /** Members of the system's own document that are not as above; undefined takes one away. */
  odd: Readonly<Record<string, unknown>>;
}

const GIB = 1024 ** 3;

/** A server of two sockets with two drives and two NICs, switched off. */
export const aMachine = (differs: Partial<BmcMachine> = {}): BmcMachine => ({
  id: '1',
  name: 'System',
  uuid: '6f1a2b54-0000-4000-8000-000000000001',
  power: 'Off',
  boot: { enabled: 'Disabled', target: 'None', mode: 'UEFI' },
  secureBoot: { enabled: false, current: 'Disabled' },
  indicator: 'Off',
  memoryGib: 64,
  processors: [
    { threads: 32, model: 'Acme Quartz 7421', maxSpeedMhz: 3700, instructionSet: 'x86-64' },
    { threads: 32, model: 'Acme Quartz 7421', maxSpeedMhz: 3700, instructionSet: 'x86-64' },
  ],
  drives: [
    { name: 'Drive 0', capacityBytes: 480 * GIB, mediaType: 'SSD', serialNumber: 'ACE0N1' },
    { name: 'Drive 1', capacityBytes: 960 * GIB, mediaType: 'SSD', serialNumber: 'ACE0N2' },
  ],
  volumes: [],
  simpleStorage: null,
  nics: [
    { id: 'NIC1', mac: '52:54:00:AB:01:01', speedMbps: 25000 },
    { id: 'NIC2', mac: '52:54:00:AB:01:02', speedMbps: 25000 },
  ],
  media: { Cd: null, Usb: null },
  powerDelayMs: 0,
  resetTypes: ['On', 'ForceOff', 'GracefulShutdown', 'GracefulRestart', 'ForceRestart', 'Nmi', 'ForceOn'],
  bootTargets: ['None', 'Pxe', 'Cd', 'Hdd', 'BiosSetup', 'UefiHttp', 'Usb', 'Floppy'],
  refusesSameState: false,
  odd: {},
  ...differs,
});
