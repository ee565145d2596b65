import { isObject, listAt, textAt } from '../introspection/json';
import type { Accelerator, Hook } from './types';

const gpu = (deviceId: string, info: string): Accelerator => ({ vendorId: '10de', deviceId, type: 'GPU', info });

/** Unless `[inspector] known_accelerators` names a file; ids of the PCI registry. */
export const knownAccelerators: readonly Accelerator[] = [
  gpu('1db4', 'NVIDIA Corporation GV100GL [Tesla V100 PCIe 16GB]'),
  gpu('1db6', 'NVIDIA Corporation GV100GL [Tesla V100 PCIe 32GB]'),
  gpu('1eb8', 'NVIDIA Corporation TU104GL [Tesla T4]'),
  gpu('20b5', 'NVIDIA Corporation GA100 [A100 PCIe 80GB]'),
  gpu('20f1', 'NVIDIA Corporation GA100 [A100 PCIe 40GB]'),
  gpu('2331', 'NVIDIA Corporation GH100 [H100 PCIe]'),
  gpu('26b9', 'NVIDIA Corporation AD102GL [L40S]'),
];

/** The content of a file of devices, or what is wrong with it (contract: config.md [inspector] known_accelerators). */
export function acceleratorsIn(content: unknown): readonly Accelerator[] | string {
  const devices = isObject(content) ? content['pci_devices'] : undefined;
  if (!Array.isArray(devices)) return 'it holds no list pci_devices';
  const known = devices.map((device) => deviceIn(device));
  const odd = known.indexOf(null);
  if (odd >= 0) return `device ${odd + 1} needs the texts vendor_id, device_id, type and device_info`;
  return known.filter((device) => device !== null);
}

function deviceIn(device: unknown): Accelerator | null {
  const [vendorId, deviceId, type, info] = ['vendor_id', 'device_id', 'type', 'device_info'].map((key) =>
    textAt(device, key),
  );
  return vendorId && deviceId && type && info ? { vendorId, deviceId, type, info } : null;
}

/** `properties.accelerators`: the PCI devices that are known to be such, an empty list where none is. */
export const accelerators: Hook = {
  after: [],
  main(progress, { options }) {
    if (!Array.isArray(progress.pluginData['pci_devices'])) {
      return { ...progress, warnings: [...progress.warnings, 'accelerators: the data has no PCI devices'] };
    }
    const known = options.accelerators ?? knownAccelerators;
    const found = listAt(progress.pluginData, 'pci_devices')
      .filter(isObject)
      .flatMap((device) => {
        const one = known.find(
          ({ vendorId, deviceId }) => device['vendor_id'] === vendorId && device['product_id'] === deviceId,
        );
        if (!one) return [];
        const { vendorId, deviceId, type, info } = one;
        const address = device['bus'] ?? null;
        return [{ vendor_id: vendorId, device_id: deviceId, type, device_info: info, pci_address: address }];
      });
    return { ...progress, properties: { ...progress.properties, accelerators: found } };
  },
};
