import type { Broker } from '@lib/testing';
import { sleep, type Service, type Stack } from '../stack';
import type { Kill, Victim } from './plan';

export interface Fallen extends Kill {
  /** When it really fell, ms after the beginning of the round. */
  readonly fellMs: number;
}

/** Kills what the plan names when its time has come, and starts it again. */
export class Storm {
  readonly fallen: Fallen[] = [];
  private readonly starting: Promise<void>[] = [];

  constructor(
    private readonly stack: Stack,
    private readonly broker: Broker,
    private readonly onBroker: () => void,
  ) {}

  /** Resolves when the last victim is up again and the stack is ready. Rejects when it does not come back. */
  async rage(kills: readonly Kill[]): Promise<void> {
    const startMs = performance.now();
    const victims = [...new Set(kills.map(({ victim }) => victim))];
    await Promise.all(
      victims.map(async (victim) => {
        for (const kill of kills.filter((one) => one.victim === victim)) {
          await sleep(Math.max(0, kill.atMs - (performance.now() - startMs)));
          this.fallen.push({ ...kill, fellMs: Math.round(performance.now() - startMs) });
          await this.kill(victim);
          await sleep(kill.downMs);
          await this.start(victim);
        }
      }),
    );
    await Promise.all(this.starting);
  }

  private async kill(victim: Victim): Promise<void> {
    if (victim === 'broker') return this.broker.kill();
    await this.stack.kill(victim, 'SIGKILL');
  }

  /** A service is started and not waited for: others may fall while it comes up, and so may it. */
  private async start(victim: Victim): Promise<void> {
    if (victim !== 'broker') return void this.starting.push(this.service(victim));
    await this.broker.restart();
    this.onBroker();
  }

  private service(name: Service): Promise<void> {
    const started = this.stack.restart(name);
    // It is looked at in the end; until then nobody waits for it.
    started.catch(() => undefined);
    return started;
  }
}
