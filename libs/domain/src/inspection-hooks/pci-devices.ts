import { isObject, listAt } from '../introspection/json';
import { withCapabilitiesSet } from './capability-hooks';
import type { Hook } from './types';

/** How many there are of each device that has an alias. */
export const pciDevices: Hook = {
  after: [],
  main(progress, input) {
    if (!Array.isArray(progress.pluginData['pci_devices'])) {
      return { ...progress, warnings: [...progress.warnings, 'pci-devices: the data has no PCI devices'] };
    }
    const devices = listAt(progress.pluginData, 'pci_devices').filter(isObject);
    const counts = (input.options.pciAliases ?? []).map(({ vendorId, productId, name }) => {
      const fitting = devices.filter((one) => one['vendor_id'] === vendorId && one['product_id'] === productId);
      return [name, fitting.length] as const;
    });
    const found = new Map<string, number>();
    for (const [name, count] of counts) found.set(name, (found.get(name) ?? 0) + count);
    const added = [...found].filter(([, count]) => count > 0).map(([name, count]) => [name, String(count)] as const);
    return withCapabilitiesSet('pci-devices', progress, input, added);
  },
};
