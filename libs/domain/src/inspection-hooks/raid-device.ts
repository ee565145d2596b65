import { isObject, listAt, textAt } from '../introspection/json';
import type { JsonObject } from '../node/fields';
import type { Hook } from './types';

const serials = (inventory: JsonObject): readonly string[] =>
  listAt(inventory, 'disks')
    .filter(isObject)
    .map((disk) => textAt(disk, 'serial'))
    .filter((serial) => serial !== null);

/**
 * A disk that was not there at the inspection before is the volume that was made in between, when there is one such disk and no
 * hint says otherwise (contract: inspection.md §7).
 */
export const raidDevice: Hook = {
  after: [],
  main(progress, { inventory, properties = {}, previous }) {
    if (isObject(properties['root_device']) || !previous) return progress;
    const known = new Set(serials(previous));
    const fresh = [...new Set(serials(inventory))].filter((serial) => !known.has(serial));
    const [serial] = fresh;
    if (fresh.length !== 1 || known.size === 0 || serial === undefined) return progress;
    return { ...progress, properties: { ...progress.properties, root_device: { serial } } };
  },
};
