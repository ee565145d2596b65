import type { Clock, Timer } from '@lib/ports';
import type { Fate } from './fate';
import type { Story } from './story';

/** How often something goes wrong while faults are let loose. */
export interface Weather {
  /** False once the day is over: nothing goes wrong any more. */
  stormy: boolean;
}

const SLOW_CALL = 0.06;
const SLOW_MS_MAX = 80;

/**
 * A process of the system: everything it asks of the world goes through here, so that it can die between any two calls
 * (nothing that it began goes on), stand still (SIGSTOP) and go on late, and have a wall clock of its own.
 */
export class Process {
  /** Ms by which its wall clock is ahead of the world's. */
  skewMs = 0;
  private dead = false;
  private halted: { readonly promise: Promise<void>; readonly release: () => void } | null = null;
  private readonly timers = new Set<Timer>();
  private readonly atDeath: (() => void)[] = [];

  readonly clock: Clock = {
    now: () => this.world.now() + this.skewMs,
    after: (delayMs, run) => this.arm(delayMs, run),
  };

  constructor(
    readonly name: string,
    private readonly world: Clock,
    private readonly fate: Fate,
    private readonly weather: Weather,
    private readonly story: Story,
    /** Probability of dying right before, and right after, a call. */
    private readonly crashAtCall: number,
  ) {}

  get isDead(): boolean {
    return this.dead;
  }

  get isHalted(): boolean {
    return this.halted !== null;
  }

  /** To be undone when it dies: subscriptions and listeners, which a broker and a database drop with the connection. */
  whenItDies(undo: () => void): void {
    this.atDeath.push(undo);
  }

  die(why: string): void {
    if (this.dead) return;
    this.story.tell(null, `${this.name} dies (${why})`);
    this.dead = true;
    for (const timer of this.timers) timer.cancel();
    for (const undo of this.atDeath) undo();
  }

  halt(): void {
    if (this.dead || this.halted) return;
    this.story.tell(null, `${this.name} is stopped`);
    let release = (): void => undefined;
    const promise = new Promise<void>((resolve) => (release = resolve));
    this.halted = { promise, release };
  }

  resume(): void {
    if (!this.halted) return;
    if (!this.dead) this.story.tell(null, `${this.name} goes on`);
    const { release } = this.halted;
    this.halted = null;
    release();
  }

  /** Resolves once the process runs; never, when it is dead. */
  async running(): Promise<void> {
    while (this.halted && !this.dead) await this.halted.promise;
    if (this.dead) await new Promise<never>(() => undefined);
  }

  /** One call to the outside: may be slow, and the process may die right before or right after it. */
  async call<T>(what: string, run: () => Promise<T>): Promise<T> {
    if (!this.runs) await this.running();
    const before = this.weather.stormy ? this.trouble(`before ${what}`) : undefined;
    if (before) await before;
    try {
      return await run();
    } finally {
      const after = this.weather.stormy ? this.trouble(`after ${what}`) : undefined;
      if (after) await after;
      if (!this.runs) await this.running();
    }
  }

  private get runs(): boolean {
    return !this.dead && !this.halted;
  }

  /** What there is to wait for; nothing, most of the time: a day makes thousands of calls. */
  private trouble(when: string): Promise<void> | undefined {
    const throwOf = this.fate.random();
    if (throwOf < this.crashAtCall) this.die(when);
    else if (throwOf < SLOW_CALL) return this.slow();
    return this.runs ? undefined : this.running();
  }

  private async slow(): Promise<void> {
    await new Promise<void>((resolve) => this.world.after(this.fate.between(1, SLOW_MS_MAX), resolve));
    await this.running();
  }

  private arm(delayMs: number, run: () => void): Timer {
    const timer = this.world.after(delayMs, () => {
      this.timers.delete(timer);
      if (this.halted) void this.running().then(() => (cancelled ? undefined : run()));
      else if (!this.dead) run();
    });
    let cancelled = false;
    const own: Timer = {
      cancel: () => {
        cancelled = true;
        this.timers.delete(timer);
        timer.cancel();
      },
    };
    if (this.dead) timer.cancel();
    else this.timers.add(timer);
    return own;
  }
}
