import { collection, enabled, link, numbered, resource } from './document';
import type { Document } from './document';
import { lightOf } from './lights';
import type { BmcController, BmcDrive, BmcMachine } from './machine';

const controllerOf = ({ name, manufacturer, model, serialNumber, firmwareVersion }: BmcController): Document => ({
  Name: name,
  Manufacturer: manufacturer ?? null,
  Model: model ?? null,
  SerialNumber: serialNumber ?? null,
  FirmwareVersion: firmwareVersion ?? null,
  SupportedControllerProtocols: ['PCIe'],
  Status: enabled,
});

const controllerDocuments = (path: string, controllers: readonly BmcController[]): [string, Document][] => [
  [path, collection(path, 'StorageController', numbered(controllers))],
  ...controllers.map((one, index): [string, Document] => {
    const at = `${path}/${index + 1}`;
    return [at, resource(at, 'StorageController.v1_7_0.StorageController', controllerOf(one))];
  }),
];

/** Controllers stand in their unit, or behind a link of it, as newer BMCs have them. */
export function storageDocuments(path: string, machine: BmcMachine): [string, Document][] {
  const { drives, volumes, controllers, controllersAreLinked } = machine;
  if (drives === null) return [];
  const unit = `${path}/Storage/1`;
  const driveOf = (one: BmcDrive, index: number): [string, Document] => [
    `${unit}/Drives/${index + 1}`,
    resource(`${unit}/Drives/${index + 1}`, 'Drive.v1_4_0.Drive', {
      Name: one.name,
      CapacityBytes: one.capacityBytes,
      MediaType: one.mediaType ?? null,
      SerialNumber: one.serialNumber ?? null,
      ...lightOf(`${unit}/Drives/${index + 1}`, machine),
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
        ...(controllersAreLinked
          ? { Controllers: link(`${unit}/Controllers`) }
          : {
              StorageControllers: controllers.map((one, index) => ({ MemberId: String(index), ...controllerOf(one) })),
            }),
      }),
    ],
    [`${unit}/Volumes`, collection(`${unit}/Volumes`, 'Volume', numbered(volumes))],
    ...volumes.map((bytes, index): [string, Document] => [
      `${unit}/Volumes/${index + 1}`,
      resource(`${unit}/Volumes/${index + 1}`, 'Volume.v1_0_3.Volume', { CapacityBytes: bytes }),
    ]),
    ...drives.map(driveOf),
    ...(controllersAreLinked ? controllerDocuments(`${unit}/Controllers`, controllers) : []),
  ];
}

export function simpleDocuments(path: string, { simpleStorage }: BmcMachine): [string, Document][] {
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
