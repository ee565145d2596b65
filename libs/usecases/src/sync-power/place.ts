import { createHash } from 'node:crypto';
import type { ConductorRow } from '@lib/ports';

/** What says where a node lives. */
export interface Placed {
  readonly uuid: unknown;
  readonly driver: unknown;
  readonly conductor_group: unknown;
}

/** Whether the conductor serves nodes with this driver in this group. */
export const fits = (row: ConductorRow, driver: unknown, group: unknown): boolean =>
  row.conductorGroup === group && row.drivers.some((one) => one === driver);

/** Highest weight wins: a conductor that leaves moves its own nodes only. */
const weight = (uuid: string, host: string): string => createHash('sha1').update(`${uuid} ${host}`).digest('hex');

/** The host that a node belongs to among living conductors, null when none serves it: the same answer everywhere. */
export function hostOf(node: Placed, living: readonly ConductorRow[]): string | null {
  const fitting = living.filter((row) => fits(row, node.driver, node.conductor_group ?? ''));
  if (fitting.length <= 1) return fitting[0]?.hostname ?? null;
  const weighed = fitting.map((row) => ({ host: row.hostname, weight: weight(String(node.uuid), row.hostname) }));
  return weighed.reduce((best, one) => (one.weight > best.weight ? one : best)).host;
}
