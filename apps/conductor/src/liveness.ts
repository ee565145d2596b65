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

  private beat(): Promise<void> {
    const { liveness, clock, id, hostname, conductorGroup, drivers, capabilities } = this.deps;
    const { online, createdAt } = this;
    return liveness.beat({ id, hostname, conductorGroup, drivers, capabilities, online, createdAt }, clock.now());
  }
}
