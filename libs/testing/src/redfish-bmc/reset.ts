import type { Clock, Timer } from '@lib/ports';
import type { BmcMachine, BmcPower } from './machine';

/** What a reset comes to: states one after the other, the second once it has been off. */
const cameTo: Readonly<Record<string, readonly BmcPower[]>> = {
  On: ['On'],
  ForceOn: ['On'],
  ForceOff: ['Off'],
  GracefulShutdown: ['Off'],
  GracefulRestart: ['Off', 'On'],
  ForceRestart: ['Off', 'On'],
  PowerCycle: ['Off', 'On'],
  Nmi: [],
};

export const isReset = (value: unknown, { resetTypes }: BmcMachine): value is string =>
  typeof value === 'string' && value in cameTo && (resetTypes?.includes(value) ?? true);

/** Whether the machine has the state that a reset leads to. */
export const isThere = (reset: string, { power }: BmcMachine): boolean =>
  cameTo[reset]?.length === 1 && cameTo[reset][0] === power;

/** Power changes that are on their way, one for each machine: a later one takes the place of an earlier. */
export class Transitions {
  private readonly timers = new Map<string, Timer>();

  constructor(private readonly clock: Clock) {}

  begin(machine: BmcMachine, reset: string): void {
    this.timers.get(machine.id)?.cancel();
    const states = cameTo[reset] ?? [];
    if (states.length === 0 || machine.powerDelayMs === null) return;
    this.step(machine, states);
  }

  private step(machine: BmcMachine, states: readonly BmcPower[]): void {
    const [next, ...rest] = states;
    if (next === undefined) return;
    const arrive = (): void => {
      machine.power = next;
      if (next === 'On' && machine.boot.enabled === 'Once') machine.boot = { ...machine.boot, enabled: 'Disabled' };
      this.step(machine, rest);
    };
    if (machine.powerDelayMs === 0) arrive();
    else this.timers.set(machine.id, this.clock.after(machine.powerDelayMs ?? 0, arrive));
  }

  stop(): void {
    for (const timer of this.timers.values()) timer.cancel();
  }
}
