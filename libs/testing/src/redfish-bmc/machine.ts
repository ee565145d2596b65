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

export interface BmcController {
  readonly name: string | null;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly firmwareVersion?: string;
}

/** Numbers as Redfish writes them: hexadecimal texts, `0x10de`. */
export interface BmcPcieFunction {
  readonly vendorId?: string | null;
  readonly deviceId?: string | null;
  readonly classCode?: string;
  readonly revisionId?: string;
  readonly segment?: string;
  readonly bus?: string;
  readonly device?: string;
  readonly enabled?: boolean;
}

export interface BmcPcieDevice {
  readonly id: string;
  readonly name: string;
  readonly functions: readonly BmcPcieFunction[];
}

/** What the switch at a port tells. */
export interface BmcLldp {
  readonly chassisId: string;
  readonly chassisIdSubtype?: string;
  readonly portId: string;
  readonly portIdSubtype?: string;
  readonly systemName?: string;
  readonly systemDescription?: string;
}

export interface BmcPort {
  readonly id: string;
  readonly macs: readonly string[];
  readonly lldp: BmcLldp | null;
}

export interface BmcAdapter {
  readonly id: string;
  readonly ports: readonly BmcPort[];
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
  controllers: readonly BmcController[];
  controllersAreLinked: boolean;
  /** Null: it offers no `SimpleStorage`. */
  simpleStorage: readonly (BmcDrive & { readonly state: string })[] | null;
  /** Null: the system has no link to them. */
  nics: readonly BmcNic[] | null;
  /** Null: it does not tell. */
  pcieDevices: readonly BmcPcieDevice[] | null;
  /** Null: it knows no chassis; `adapters`: the same for what is in there. */
  chassis: { readonly adapters: readonly BmcAdapter[] | null } | null;
  /** Lights by the path of their resource, where they are not off; the system's own is `indicator`. */
  readonly lights: Record<string, string>;
  /** Lights of chassis and drives only show where they are: on or off. */
  locates: boolean;
  /** Attached images by the id of the device: null where none is. */
  readonly media: Record<string, string | null>;
  /** Whose virtual devices they are. */
  mediaOf: 'manager' | 'system';
  /** How images are put in: by an action, by one that wants the protocol as well, or by changing the device. */
  mediaBy: 'action' | 'action with protocol' | 'patch';
  /** Account that the last image came with; null: none. */
  mediaAccount: { readonly username: string; readonly password: string } | null;
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
  controllers: [{ name: 'Acme RAID' }],
  controllersAreLinked: false,
  simpleStorage: null,
  nics: [
    { id: 'NIC1', mac: '52:54:00:AB:01:01', speedMbps: 25000 },
    { id: 'NIC2', mac: '52:54:00:AB:01:02', speedMbps: 25000 },
  ],
  pcieDevices: [
    {
      id: 'GPU1',
      name: 'Accelerator',
      functions: [
        {
          vendorId: '0x10DE',
          deviceId: '0x1EB8',
          classCode: '0x030200',
          revisionId: '0xA1',
          segment: '0x0000',
          bus: '0x3b',
          device: '0x00',
        },
      ],
    },
    {
      id: 'Twinport',
      name: 'Network adapter',
      functions: [
        { vendorId: '0x8086', deviceId: '0x159b', classCode: '0x020000', revisionId: '0x02' },
        { vendorId: '0x8086', deviceId: '0x159b', classCode: '0x020000', revisionId: '0x02' },
      ],
    },
  ],
  chassis: {
    adapters: [
      {
        id: 'Twinport',
        ports: [
          {
            id: '1',
            macs: ['52:54:00:AB:01:01'],
            lldp: {
              chassisId: '88:5A:92:00:10:01',
              portId: 'Ethernet1/7',
              systemName: 'leaf-7',
              systemDescription: 'Acme Fabric 9',
            },
          },
          { id: '2', macs: ['52:54:00:AB:01:02'], lldp: null },
        ],
      },
    ],
  },
  lights: {},
  locates: false,
  media: { Cd: null, Usb: null },
  mediaOf: 'manager',
  mediaBy: 'action',
  mediaAccount: null,
  powerDelayMs: 0,
  resetTypes: ['On', 'ForceOff', 'GracefulShutdown', 'GracefulRestart', 'ForceRestart', 'Nmi', 'ForceOn'],
  bootTargets: ['None', 'Pxe', 'Cd', 'Hdd', 'BiosSetup', 'UefiHttp', 'Usb', 'Floppy'],
  refusesSameState: false,
  odd: {},
  ...differs,
});
