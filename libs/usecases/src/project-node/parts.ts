import type { Parts } from '@lib/domain';
import { isoTime, isoTimeOrNull } from './times';

/** BIOS settings and firmware as the api shows them (contract: node-api.md §17), by name. */
export const partsDocument = ({ bios, firmware }: Parts): object => ({
  bios: byName(
    bios.map(({ attributes = {}, name, value, createdAt, updatedAt }) => ({
      ...attributes,
      name,
      value,
      created_at: isoTime(createdAt),
      updated_at: isoTimeOrNull(updatedAt),
    })),
    'name',
  ),
  firmware: byName(
    firmware.map(({ createdAt, updatedAt, ...rest }) => ({
      ...rest,
      created_at: isoTime(createdAt),
      updated_at: isoTimeOrNull(updatedAt),
    })),
    'component',
  ),
});

const byName = <Key extends string, Row extends Readonly<Record<Key, string>>>(rows: readonly Row[], key: Key): Row[] =>
  [...rows].sort((one, other) => (one[key] < other[key] ? -1 : 1));
