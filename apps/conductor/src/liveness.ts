import type { Clock, Liveness, Logger, Timer } from '@lib/ports';

export interface LivenessDeps {
  readonly liveness: Liveness;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly periodMs: number;
  readonly hostname: string;
  readonly conductorGroup: string;
  readonly drivers: readonly string[];
  readonly capabilities: string;
}

/** The conductor's row in the list of conductors: a sign of life in each period, `online: false` at a graceful stop. */
export class Heartbeat {
  private timer: Timer | null = null;
  private stopped = false;

  constructor(private readonly deps: LivenessDeps) {}

  async start(): Promise<void> {
    await this.beat(true);
    this.arm();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    await this.beat(false);
  }

  private arm(): void {
    if (this.stopped) return;
    this.timer = this.deps.clock.after(this.deps.periodMs, () => {
      this.beat(true)
        .catch((error: unknown) =>
          this.deps.logger.warn({ reason: String(error) }, 'the sign of life could not be written'),
        )
        .finally(() => this.arm());
    });
  }

  private beat(online: boolean): Promise<void> {
    const { liveness, clock, hostname, conductorGroup, drivers, capabilities } = this.deps;
    return liveness.beat({ hostname, conductorGroup, drivers, capabilities, online }, clock.now());
  }
}
