import type { Clock, Instant, Liveness, Logger, Timer } from '@lib/ports';

export interface LivenessDeps {
  readonly liveness: Liveness;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly periodMs: number;
  /** Drawn at the start of this process. */
  readonly id: string;
  readonly hostname: string;
  readonly conductorGroup: string;
  readonly drivers: readonly string[];
  readonly capabilities: string;
}

/** Less is the time that a row takes to be written and read. */
const SKEW_MS_MIN = 2_000;

/**
 * The conductor's row in the list of conductors: offline while it recovers, a sign of life in each period while it serves,
 * and offline again from the first moment of a graceful stop.
 */
export class Heartbeat {
  private timer: Timer | null = null;
  private online = false;
  private stopped = false;
  private createdAt: Instant;

  constructor(private readonly deps: LivenessDeps) {
    this.createdAt = deps.clock.now();
  }

  /** Makes the row: others see that somebody is here, who does not serve yet. */
  async arrive(): Promise<void> {
    await this.beat();
    this.arm();
  }

  /** From now on it serves. `since`: when the first conductor of its host name came. */
  async serve(since: Instant): Promise<void> {
    this.createdAt = Math.min(this.createdAt, since);
    this.online = true;
    await this.beat();
  }

  /** The row goes offline now, also when the work under way still takes a while. */
  async leave(): Promise<void> {
    this.stopped = true;
    this.online = false;
    this.timer?.cancel();
    await this.beat();
  }

  private arm(): void {
    if (this.stopped) return;
    this.timer = this.deps.clock.after(this.deps.periodMs, () => {
      if (this.stopped) return;
      this.beat()
        .catch((error: unknown) =>
          this.deps.logger.warn({ reason: String(error) }, 'the sign of life could not be written'),
        )
        .finally(() => this.arm());
    });
  }

  private async beat(): Promise<void> {
    const { liveness, clock, id, hostname, conductorGroup, drivers, capabilities } = this.deps;
    const { online, createdAt } = this;
    await liveness.beat({ id, hostname, conductorGroup, drivers, capabilities, online, createdAt }, clock.now());
    if (online) await this.compareClocks();
  }

  /**
   * A sign of life from the future: that conductor's clock is ahead of ours, or ours behind. Deadlines then move by as much when
   * they change hands. Of two clocks that differ one is behind, so somebody always sees it.
   */
  private async compareClocks(): Promise<void> {
    const { liveness, clock, id, logger } = this.deps;
    const rows = await liveness.conductors();
    const now = clock.now();
    for (const other of rows) {
      const aheadMs = other.updatedAt - now;
      if (other.id === id || aheadMs <= SKEW_MS_MIN) continue;
      logger.warn({ conductor: other.id, host: other.hostname, aheadMs }, 'the clocks of two conductors differ');
    }
  }
}
