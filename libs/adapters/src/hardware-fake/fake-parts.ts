import type { BiosSetting, FirmwareComponent } from '@lib/domain';
import type { Machine, PartsInterface, PartsKind } from '@lib/ports';
import { isObject } from './fake-script';
import { applyBios, fakeSteps, resetBios, updateFirmware } from './fake-steps';

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

/** The objects of a list in the node's script that have a name under `key`, each name once. */
function scripted({ extra }: Pick<Machine, 'extra'>, list: string, key: string): Record<string, unknown>[] {
  const found: unknown = isObject(extra['fake']) ? extra['fake'][list] : undefined;
  const named = (Array.isArray(found) ? (found as unknown[]) : []).filter(
    (one): one is Record<string, unknown> => isObject(one) && typeof one[key] === 'string' && one[key] !== '',
  );
  return [...new Map(named.map((one) => [one[key], one])).values()];
}

/** `extra.fake.bios = [{"name": "Virtualization", "value": "on", "attribute_type": "String", ...}]`. */
const biosSettings = (machine: Pick<Machine, 'extra'>): BiosSetting[] =>
  scripted(machine, 'bios', 'name').map(({ name, value, ...attributes }) => ({
    name: String(name),
    value: textOrNull(value),
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
  }));

/** `extra.fake.firmware = [{"component": "bmc", "current_version": "1.2", "vendor": ...}]`. */
const firmware = (machine: Pick<Machine, 'extra'>): FirmwareComponent[] =>
  scripted(machine, 'firmware', 'component').map(({ component, current_version, vendor, model, serial_number }) => ({
    component: String(component),
    current_version: textOrNull(current_version),
    vendor: textOrNull(vendor),
    model: textOrNull(model),
    serial_number: textOrNull(serial_number),
  }));

/** Told by the node's script; without one there is nothing to tell. */
export const fakeParts: Readonly<Record<PartsKind, PartsInterface>> = {
  bios: {
    validate: () => null,
    read: async (machine) => ({ bios: biosSettings(machine) }),
    takeStep: fakeSteps({ apply_configuration: applyBios, factory_reset: resetBios(biosSettings) }),
  },
  firmware: {
    validate: () => null,
    read: async (machine) => ({ firmware: firmware(machine) }),
    takeStep: fakeSteps({ update: updateFirmware }),
  },
};
