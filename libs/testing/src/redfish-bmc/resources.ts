import { chassisDocuments, chassisPath } from './chassis';
import { collection, enabled, link, numbered, resource, ROOT, told } from './document';
import type { Document } from './document';
import type { BmcMachine } from './machine';
import { mediaDocuments, mediaPath } from './media';
import { pcieDocuments, pcieLinks } from './pcie';
import { simpleDocuments, storageDocuments } from './storage';

export const SESSIONS = `${ROOT}/SessionService/Sessions`;

export const sessionDocument = (id: string, username: string): Document =>
  resource(`${SESSIONS}/${id}`, 'Session.v1_1_0.Session', { UserName: username });

/** Documents that need no machine. `sessions` is false where the BMC has no session service. */
export function serviceDocuments(machines: readonly BmcMachine[], sessions: boolean): Map<string, Document> {
  const ids = machines.map(({ id }) => id);
  const inChassis = machines.filter(({ chassis }) => chassis !== null).map(({ id }) => id);
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
    Chassis: link(`${ROOT}/Chassis`),
    ...(sessions ? service : { Links: {} }),
  });
  return new Map<string, Document>([
    ['/redfish', { v1: `${ROOT}/` }],
    [ROOT, root],
    [`${ROOT}/Systems`, collection(`${ROOT}/Systems`, 'ComputerSystem', ids)],
    [`${ROOT}/Managers`, collection(`${ROOT}/Managers`, 'Manager', ids)],
    [`${ROOT}/Chassis`, collection(`${ROOT}/Chassis`, 'Chassis', inChassis)],
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
    ...pcieLinks(path, machine),
    ...(machine.mediaOf === 'system' ? { VirtualMedia: link(mediaPath(machine)) } : {}),
    Links: {
      ManagedBy: [link(`${ROOT}/Managers/${machine.id}`)],
      Chassis: machine.chassis === null ? [] : [link(chassisPath(machine.id))],
    },
    Actions: {
      '#ComputerSystem.Reset': {
        target: `${path}/Actions/ComputerSystem.Reset`,
        ...allowable('ResetType', machine.resetTypes),
      },
    },
  });
  return told({ ...full, ...machine.odd });
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

function managerDocuments(path: string, machine: BmcMachine): [string, Document][] {
  const manager = `${ROOT}/Managers/${machine.id}`;
  return [
    [
      manager,
      resource(manager, 'Manager.v1_5_0.Manager', {
        ManagerType: 'BMC',
        FirmwareVersion: '1.45.4',
        UUID: '58893887-8974-2487-2389-841168418919',
        ...(machine.mediaOf === 'manager' ? { VirtualMedia: link(mediaPath(machine)) } : {}),
        Links: { ManagerForServers: [link(path)] },
      }),
    ],
    ...mediaDocuments(machine),
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
    ...pcieDocuments(path, machine),
    ...chassisDocuments(path, machine),
  ]);
}
