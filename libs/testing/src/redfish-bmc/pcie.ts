import { collection, enabled, link, numbered, resource, told } from './document';
import type { Document } from './document';
import type { BmcMachine, BmcPcieDevice, BmcPcieFunction } from './machine';

const under = (system: string): string => `${system}/PCIeDevices`;

/** What the system's own document says of them. */
export const pcieLinks = (system: string, { pcieDevices }: BmcMachine): Document =>
  pcieDevices === null ? {} : { PCIeDevices: pcieDevices.map(({ id }) => link(`${under(system)}/${id}`)) };

const functionOf = (path: string, one: BmcPcieFunction, index: number): Document =>
  resource(path, 'PCIeFunction.v1_6_0.PCIeFunction', {
    ...told({
      FunctionId: index,
      FunctionType: 'Physical',
      VendorId: one.vendorId,
      DeviceId: one.deviceId,
      ClassCode: one.classCode,
      RevisionId: one.revisionId,
      SegmentNumber: one.segment,
      BusNumber: one.bus,
      DeviceNumber: one.device,
      FunctionNumber: one.bus === undefined ? undefined : `0x${index.toString(16)}`,
      Enabled: one.enabled,
    }),
    Status: enabled,
  });

function deviceDocuments(path: string, { name, functions }: BmcPcieDevice): [string, Document][] {
  const inside = `${path}/PCIeFunctions`;
  const ids = numbered(functions);
  return [
    [
      path,
      resource(path, 'PCIeDevice.v1_9_0.PCIeDevice', {
        Name: name,
        DeviceType: functions.length > 1 ? 'MultiFunction' : 'SingleFunction',
        PCIeFunctions: link(inside),
        Status: enabled,
      }),
    ],
    [inside, collection(inside, 'PCIeFunction', ids)],
    ...functions.map((one, index): [string, Document] => {
      const at = `${inside}/${index + 1}`;
      return [at, functionOf(at, one, index)];
    }),
  ];
}

export const pcieDocuments = (system: string, { pcieDevices }: BmcMachine): [string, Document][] =>
  (pcieDevices ?? []).flatMap((device) => deviceDocuments(`${under(system)}/${device.id}`, device));
