import type { BmcDrive, BmcMachine } from './machine';

export type Document = Readonly<Record<string, unknown>>;

export const ROOT = '/redfish/v1';
export const SESSIONS = `${ROOT}/SessionService/Sessions`;

const link = (path: string) => ({ '@odata.id': path });

const resource = (path: string, type: string, fields: Document): Document => ({
  '@odata.id': path,
  '@odata.type': `#${type}`,
  Id: path.slice(path.lastIndexOf('/') + 1),
  Name: type.split('.')[0],
  ...fields,
});

export const collection = (path: string, type: string, members: readonly string[]): Document => ({
  '@odata.id': path,
  '@odata.type': `#${type}Collection.${type}Collection`,
  Name: `${type} Collection`,
  Members: members.map((member) => link(`${path}/${member}`)),
  'Members@odata.count': members.length,
});

export const sessionDocument = (id: string, username: string): Document =>
  resource(`${SESSIONS}/${id}`, 'Session.v1_1_0.Session', { UserName: username });

const numbered = (list: readonly unknown[]): string[] => list.map((_, index) => String(index + 1));
const enabled = { State: 'Enabled', Health: 'OK' };

/** Documents that need no machine. `sessions` is false where the BMC has no session service. */
export function serviceDocuments(ids: readonly string[], sessions: boolean): Map<string, Document> {
  const service = {
    SessionService: link(`${ROOT}/SessionService`),
    Links: { Sessions: link(SESSIONS) },
  };
  const root = resource(ROOT, 'ServiceRoot.v1_5_0.ServiceRoot', {
    '@odata.id': `${ROOT}/`,
    Id: 'RootService',
    RedfishVersion: '1.6.0',
    UUID: '92384634-2938-2342-8820-489239905423',
    Systems: link(`${ROOT}/Systems`),
    Managers: link(`${ROOT}/Managers`),
    ...(sessions ? service : { Links: {} }),
  });
  return new Map<string, Document>([
    ['/redfish', { v1: `${ROOT}/` }],
    [ROOT, root],
    [`${ROOT}/Systems`, collection(`${ROOT}/Systems`, 'ComputerSystem', ids)],
    [`${ROOT}/Managers`, collection(`${ROOT}/Managers`, 'Manager', ids)],
    ...(sessions
      ? ([
          [
            `${ROOT}/SessionService`,
            resource(`${ROOT}/SessionService`, 'SessionService.v1_1_3.SessionService', {
              ServiceEnabled: true,
              SessionTimeout: 1800,
              Sessions: link(SESSIONS),
            }),
          ],
        ] as const)
      : []),
  ]);
}

const allowable = (name: string, values: readonly string[] | null) =>
  values === null ? {} : { [`${name}@Redfish.AllowableValues`]: values };

function systemDocument(path: string, machine: BmcMachine): Document {
  const { boot, memoryGib, processors, nics } = machine;
  const full: Document = resource(path, 'ComputerSystem.v1_13_0.ComputerSystem', {
    Name: machine.name,
    UUID: machine.uuid,
    Manufacturer: 'Acme Iron',
    Model: 'Slab 220',
    SerialNumber: `PCB000${machine.id}`,
    SystemType: 'Physical',
    PowerState: machine.power,
    IndicatorLED: machine.indicator,
    BiosVersion: '2.8.1',
    Status: enabled,
    Boot: {
      BootSourceOverrideEnabled: boot.enabled,
      BootSourceOverrideTarget: boot.target,
      ...(boot.mode === null ? {} : { BootSourceOverrideMode: boot.mode }),
      ...allowable('BootSourceOverrideTarget', machine.bootTargets),
    },
    MemorySummary: { TotalSystemMemoryGiB: memoryGib, Status: enabled },
    ProcessorSummary: { Count: processors.length, Model: processors[0]?.model ?? null, Status: enabled },
    Processors: link(`${path}/Processors`),
    ...(machine.drives === null ? {} : { Storage: link(`${path}/Storage`) }),
    ...(machine.simpleStorage === null ? {} : { SimpleStorage: link(`${path}/SimpleStorage`) }),
    ...(nics === null ? {} : { EthernetInterfaces: link(`${path}/EthernetInterfaces`) }),
    ...(machine.secureBoot === null ? {} : { SecureBoot: link(`${path}/SecureBoot`) }),
    Links: { ManagedBy: [link(`${ROOT}/Managers/${machine.id}`)], Chassis: [] },
    Actions: {
      '#ComputerSystem.Reset': {
        target: `${path}/Actions/ComputerSystem.Reset`,
        ...allowable('ResetType', machine.resetTypes),
      },
    },
  });
  return Object.fromEntries(Object.entries({ ...full, ...machine.odd }).filter(([, value]) => value !== undefined));
}

function storageDocuments(path: string, { drives, volumes }: BmcMachine): [string, Document][] {
  if (drives === null) return [];
  const unit = `${path}/Storage/1`;
  const driveOf = (one: BmcDrive, index: number): [string, Document] => [
    `${unit}/Drives/${index + 1}`,
    resource(`${unit}/Drives/${index + 1}`, 'Drive.v1_4_0.Drive', {
      Name: one.name,
      CapacityBytes: one.capacityBytes,
      MediaType: one.mediaType ?? null,
      SerialNumber: one.serialNumber ?? null,
      Status: enabled,
    }),
  ];
  const ids = numbered(drives).map((id) => link(`${unit}/Drives/${id}`));
  return [
    [`${path}/Storage`, collection(`${path}/Storage`, 'Storage', ['1'])],
    [
      unit,
      resource(unit, 'Storage.v1_4_0.Storage', {
        Name: 'Local Storage Controller',
        Drives: ids,
        'Drives@odata.count': drives.length,
        Volumes: link(`${unit}/Volumes`),
        StorageControllers: [
          { MemberId: '0', Name: 'Acme RAID', SpeedGbps: 12, Status: enabled, SupportedControllerProtocols: ['PCIe'] },
        ],
      }),
    ],
    [`${unit}/Volumes`, collection(`${unit}/Volumes`, 'Volume', numbered(volumes))],
    ...volumes.map((bytes, index): [string, Document] => [
      `${unit}/Volumes/${index + 1}`,
      resource(`${unit}/Volumes/${index + 1}`, 'Volume.v1_0_3.Volume', { CapacityBytes: bytes }),
    ]),
    ...drives.map(driveOf),
  ];
}

function simpleDocuments(path: string, { simpleStorage }: BmcMachine): [string, Document][] {
  if (simpleStorage === null) return [];
  const devices = simpleStorage.map(({ name, capacityBytes, state }) => ({
    Name: name,
    CapacityBytes: capacityBytes,
    Status: { State: state, Health: 'OK' },
  }));
  return [
    [`${path}/SimpleStorage`, collection(`${path}/SimpleStorage`, 'SimpleStorage', ['1'])],
    [
      `${path}/SimpleStorage/1`,
      resource(`${path}/SimpleStorage/1`, 'SimpleStorage.v1_2_0.SimpleStorage', { Devices: devices }),
    ],
  ];
}

function processorDocuments(path: string, { processors }: BmcMachine): [string, Document][] {
  const under = `${path}/Processors`;
  return [
    [under, collection(under, 'Processor', numbered(processors))],
    ...processors.map((one, index): [string, Document] => [
      `${under}/${index + 1}`,
      resource(`${under}/${index + 1}`, 'Processor.v1_3_1.Processor', {
        ProcessorType: 'CPU',
        TotalThreads: one.threads,
        Model: one.model ?? null,
        MaxSpeedMHz: one.maxSpeedMhz ?? null,
        InstructionSet: one.instructionSet ?? null,
        Status: enabled,
      }),
    ]),
  ];
}

function nicDocuments(path: string, { nics }: BmcMachine): [string, Document][] {
  if (nics === null) return [];
  const under = `${path}/EthernetInterfaces`;
  return [
    [
      under,
      collection(
        under,
        'EthernetInterface',
        nics.map(({ id }) => id),
      ),
    ],
    ...nics.map(({ id, mac, speedMbps = null, state = 'Enabled', health = 'OK' }): [string, Document] => [
      `${under}/${id}`,
      resource(`${under}/${id}`, 'EthernetInterface.v1_4_1.EthernetInterface', {
        MACAddress: mac,
        PermanentMACAddress: mac,
        SpeedMbps: speedMbps,
        Status: { State: state, Health: health },
      }),
    ]),
  ];
}

const mediaTypesOf: Readonly<Record<string, readonly string[]>> = { Cd: ['CD', 'DVD'], Usb: ['USBStick'] };

function managerDocuments(path: string, { id, media }: BmcMachine): [string, Document][] {
  const manager = `${ROOT}/Managers/${id}`;
  const under = `${manager}/VirtualMedia`;
  const mediumOf = ([device, image]: [string, string | null]): [string, Document] => [
    `${under}/${device}`,
    resource(`${under}/${device}`, 'VirtualMedia.v1_3_0.VirtualMedia', {
      MediaTypes: mediaTypesOf[device] ?? [],
      Image: image,
      Inserted: image !== null,
      WriteProtected: true,
      Actions: {
        '#VirtualMedia.InsertMedia': { target: `${under}/${device}/Actions/VirtualMedia.InsertMedia` },
        '#VirtualMedia.EjectMedia': { target: `${under}/${device}/Actions/VirtualMedia.EjectMedia` },
      },
    }),
  ];
  return [
    [
      manager,
      resource(manager, 'Manager.v1_5_0.Manager', {
        ManagerType: 'BMC',
        FirmwareVersion: '1.45.4',
        UUID: '58893887-8974-2487-2389-841168418919',
        VirtualMedia: link(under),
        Links: { ManagerForServers: [link(path)] },
      }),
    ],
    [under, collection(under, 'VirtualMedia', Object.keys(media))],
    ...Object.entries(media).map(mediumOf),
  ];
}

function secureBootDocuments(path: string, { secureBoot }: BmcMachine): [string, Document][] {
  if (secureBoot === null) return [];
  const fields = {
    SecureBootEnable: secureBoot.enabled,
    SecureBootCurrentBoot: secureBoot.current,
    SecureBootMode: 'UserMode',
  };
  return [[`${path}/SecureBoot`, resource(`${path}/SecureBoot`, 'SecureBoot.v1_1_0.SecureBoot', fields)]];
}

/** All that a BMC tells of one machine, by path. */
export function machineDocuments(machine: BmcMachine): Map<string, Document> {
  const path = `${ROOT}/Systems/${machine.id}`;
  return new Map([
    [path, systemDocument(path, machine)],
    ...processorDocuments(path, machine),
    ...storageDocuments(path, machine),
    ...simpleDocuments(path, machine),
    ...nicDocuments(path, machine),
    ...secureBootDocuments(path, machine),
    ...managerDocuments(path, machine),
  ]);
}
