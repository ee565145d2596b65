/**
 * Who serves what. Rows of conductors are read at most twice a second: they are a heartbeat, no truth.
 * contract: other-resources.md §7-8, inspection.md §9.2
 */
import type { InterfaceType } from '@lib/contracts/settings';
import type { Clock, ConductorRow } from '@lib/ports';
import { fits, hostOf, type Placed } from '@lib/usecases';

export type { Placed };

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
    return hostOf(
      node,
      rows.filter((row) => this.alive(row)),
    );
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

const byHost = (a: ConductorRow, b: ConductorRow): number => (a.hostname < b.hostname ? -1 : 1);

export function capabilitiesOf(row: ConductorRow): Capabilities {
  try {
    return JSON.parse(row.capabilities) as Capabilities;
  } catch {
    return {};
  }
}
