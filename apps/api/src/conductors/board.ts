/**
 * Who serves what. Rows of conductors are read at most twice a second: they are a heartbeat, no truth.
 * contract: other-resources.md §7-8, inspection.md §9.2
 */
import { createHash } from 'node:crypto';
import type { InterfaceType } from '@lib/contracts/settings';
import type { Clock, ConductorRow } from '@lib/ports';

const FRESH_MS = 500;

export interface InterfaceSupport {
  readonly default: string | null;
  readonly enabled: readonly string[];
}

/** Capabilities of a conductor: hardware type -> interface type -> what is enabled. */
export interface Capabilities {
  readonly interfaces?: Readonly<Record<string, Readonly<Partial<Record<InterfaceType, InterfaceSupport>>>>>;
  /** Hardware type -> properties of driver_info, described. */
  readonly properties?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What says where a node lives. */
export interface Placed {
  readonly uuid: unknown;
  readonly driver: unknown;
  readonly conductor_group: unknown;
}

export class ConductorBoard {
  private rows: Promise<ConductorRow[]> | undefined;
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly liveness: { conductors(): Promise<ConductorRow[]> },
    private readonly clock: Clock,
    private readonly heartbeatTimeoutMs: number,
  ) {}

  /** All conductors known, by host name, one row each, from memory when read within the last half second. */
  async all(): Promise<ConductorRow[]> {
    const now = this.clock.now();
    if (this.rows === undefined || now - this.readAt >= FRESH_MS || now < this.readAt) return this.read();
    return this.rows;
  }

  alive(row: ConductorRow): boolean {
    return row.online && this.clock.now() - row.updatedAt <= this.heartbeatTimeoutMs;
  }

  async living(): Promise<ConductorRow[]> {
    return (await this.all()).filter((row) => this.alive(row));
  }

  /** Whether a living conductor serves the driver in the group; looks again before it says no. */
  async serves(driver: string, group: string): Promise<boolean> {
    const found = (rows: ConductorRow[]) => rows.some((row) => this.alive(row) && fits(row, driver, group));
    return found(await this.all()) || found(await this.read());
  }

  /** The host that a node belongs to, null when none serves it: the same answer on every api. */
  hostOf(node: Placed, rows: readonly ConductorRow[]): string | null {
    const fitting = rows.filter((row) => this.alive(row) && fits(row, node.driver, node.conductor_group ?? ''));
    if (fitting.length <= 1) return fitting[0]?.hostname ?? null;
    const weighed = fitting.map((row) => ({ host: row.hostname, weight: weight(String(node.uuid), row.hostname) }));
    return weighed.reduce((best, one) => (one.weight > best.weight ? one : best)).host;
  }

  /** Processes of one host name are one conductor: the one that lives, else the one that was heard of last. */
  private onePerHost(rows: readonly ConductorRow[]): ConductorRow[] {
    const best = new Map<string, ConductorRow>();
    for (const row of rows) {
      const known = best.get(row.hostname);
      const isBetter =
        known === undefined ||
        (this.alive(row) === this.alive(known) ? row.updatedAt > known.updatedAt : this.alive(row));
      if (isBetter) best.set(row.hostname, row);
    }
    return [...best.values()];
  }

  private read(): Promise<ConductorRow[]> {
    this.readAt = this.clock.now();
    const rows = this.liveness.conductors().then((found) => this.onePerHost(found).sort(byHost));
    this.rows = rows;
    rows.catch(() => {
      if (this.rows === rows) this.rows = undefined;
    });
    return rows;
  }
}

const fits = (row: ConductorRow, driver: unknown, group: unknown): boolean =>
  row.conductorGroup === group && row.drivers.some((one) => one === driver);

const byHost = (a: ConductorRow, b: ConductorRow): number => (a.hostname < b.hostname ? -1 : 1);

/** Highest weight wins: a conductor that leaves moves its own nodes only. */
const weight = (uuid: string, host: string): string => createHash('sha1').update(`${uuid} ${host}`).digest('hex');

export function capabilitiesOf(row: ConductorRow): Capabilities {
  try {
    return JSON.parse(row.capabilities) as Capabilities;
  } catch {
    return {};
  }
}
