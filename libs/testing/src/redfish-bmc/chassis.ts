import { collection, enabled, link, resource, ROOT } from './document';
import type { Document } from './document';
import { lightOf } from './lights';
import type { BmcAdapter, BmcLldp, BmcMachine, BmcPort } from './machine';

export const chassisPath = (id: string): string => `${ROOT}/Chassis/${id}`;

const lldpOf = ({ chassisId, chassisIdSubtype = 'MacAddr', portId, portIdSubtype = 'IfName', ...system }: BmcLldp) => ({
  ChassisId: chassisId,
  ChassisIdSubtype: chassisIdSubtype,
  PortId: portId,
  PortIdSubtype: portIdSubtype,
  SystemName: system.systemName ?? null,
  SystemDescription: system.systemDescription ?? null,
});

const portOf = (path: string, { macs, lldp }: BmcPort): Document =>
  resource(path, 'Port.v1_8_0.Port', {
    PortId: path.slice(path.lastIndexOf('/') + 1),
    PortProtocol: 'Ethernet',
    LinkStatus: 'LinkUp',
    Ethernet: {
      AssociatedMACAddresses: macs,
      LLDPEnabled: lldp !== null,
      ...(lldp === null ? {} : { LLDPReceive: lldpOf(lldp) }),
    },
    Status: enabled,
  });

function adapterDocuments(path: string, { id, ports }: BmcAdapter): [string, Document][] {
  const here = `${path}/${id}`;
  const under = `${here}/Ports`;
  return [
    [
      here,
      resource(here, 'NetworkAdapter.v1_9_0.NetworkAdapter', {
        Manufacturer: 'Acme Iron',
        Model: 'Twinport 25G',
        Ports: link(under),
        Status: enabled,
      }),
    ],
    [
      under,
      collection(
        under,
        'Port',
        ports.map((port) => port.id),
      ),
    ],
    ...ports.map((port): [string, Document] => [`${under}/${port.id}`, portOf(`${under}/${port.id}`, port)]),
  ];
}

/** The box that a machine is in, with its network adapters. */
export function chassisDocuments(system: string, machine: BmcMachine): [string, Document][] {
  const { id, chassis } = machine;
  if (chassis === null) return [];
  const { adapters } = chassis;
  const path = chassisPath(id);
  const under = `${path}/NetworkAdapters`;
  const box = resource(path, 'Chassis.v1_20_0.Chassis', {
    ChassisType: 'RackMount',
    Manufacturer: 'Acme Iron',
    ...lightOf(path, machine),
    Status: enabled,
    ...(adapters === null ? {} : { NetworkAdapters: link(under) }),
    Links: { ComputerSystems: [link(system)] },
  });
  if (adapters === null) return [[path, box]];
  return [
    [path, box],
    [
      under,
      collection(
        under,
        'NetworkAdapter',
        adapters.map((adapter) => adapter.id),
      ),
    ],
    ...adapters.flatMap((adapter) => adapterDocuments(under, adapter)),
  ];
}
