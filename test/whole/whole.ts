import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { MemoryEventStreamBroker } from '@lib/adapters/event-stream-memory';
import { secretBox, transportBox } from '@lib/adapters/secret-box';
import { systemChance } from '@lib/adapters/system-clock';
import { subjects } from '@lib/contracts';
import type { StoredLog } from '@lib/adapters/event-log-typeorm';
import type {
  Clock,
  EventLog,
  EventReader,
  EventStream,
  HardwareRegistry,
  InspectResult,
  Logger,
  MessageBus,
  ReadModel,
} from '@lib/ports';
import { ManualClock } from '@lib/testing/manual-clock';
import { EventPublisher } from '@lib/usecases/publish-events';
import { startApi } from '@app/api';
import { startConductor } from '@app/conductor';
import { startScheduler } from '@app/scheduler';
import { MemoryCertificates, MemoryLogShelf, Script } from '../world';
import { scriptedHardware } from '../world/scripted-hardware';
import { Client } from './client';
import { Life } from './mortal';
import { settingsOf } from './settings';
import type { Values } from './settings';
import { inMemory } from './store';
import type { OpenStore } from './store';

export const PREFIX = 'whole';
const MASTER_KEY = new Uint8Array(32).fill(7);
const STOP_SECONDS_MAX = 120;
/** Of real time, for what disks and databases take on a busy machine. */
const PATIENCE_MS = 60_000;

export interface WholeOptions {
  readonly store?: OpenStore;
  readonly settings?: Values;
  readonly keepsLines?: boolean;
  /** The machines; scripted ones (`script`) unless given. */
  readonly hardware?: (clock: ManualClock, bus: MessageBus, logger: Logger) => HardwareRegistry;
  /** Faults: the log as conductors see it, and as they read what they process. */
  readonly faulty?: (log: EventLog) => EventLog;
}

export interface RunningConductor {
  /** kill -9: it reaches nothing any more and nobody hears of it. */
  kill(): void;
  stop(): Promise<void>;
}

/** Machines are booted by somebody else unless a spec plays it otherwise. */
const startOf = (name: string): InspectResult =>
  name === 'fake' ? { returned: 'MANAGEABLE' } : { returned: 'INSPECTWAIT', manageBoot: false };

/**
 * The services as they are, in one process, on one clock that stands still: spoken to by HTTP, with scripted hardware. What needs
 * no time happens between two requests; the rest when a spec lets time pass.
 */
export class Whole {
  readonly script = new Script();
  readonly hub: MemoryBusHub;
  readonly stream = new MemoryEventStreamBroker();
  readonly errors: { readonly fields: object; readonly text: string }[] = [];
  /** Everything that the services log, where `keepsLines` is set. */
  readonly lines: { readonly fields: object; readonly text: string }[] = [];
  /** HTTP statuses of all that was asked. */
  readonly statuses: number[] = [];
  /** In the order of their starts. */
  readonly conductors: RunningConductor[] = [];
  private readonly stops: (() => Promise<void>)[] = [];

  private constructor(
    readonly clock: ManualClock,
    readonly stored: StoredLog,
    private readonly options: WholeOptions,
  ) {
    this.hub = new MemoryBusHub(clock);
    this.script.play('inspect', ({ interface: name }) => startOf(name));
  }

  /** A conductor, a scheduler and an api. */
  static async start(options: WholeOptions = {}): Promise<Whole> {
    const clock = new ManualClock('2026-11-30T08:00:00Z');
    const whole = new Whole(clock, await (options.store ?? inMemory)(clock), options);
    await whole.conductor();
    await whole.scheduler();
    return whole;
  }

  private logger(): Logger {
    const line = (fields: object, text: string): void => {
      if (this.options.keepsLines) this.lines.push({ fields, text });
    };
    const error = (fields: object, text: string): void => {
      this.errors.push({ fields, text });
      line(fields, text);
    };
    return { debug: line, info: line, warn: line, error } as Logger;
  }

  /** `clock`: of its host, which may go wrong. */
  async conductor(
    settings: Values = this.options.settings ?? {},
    clock: Clock = this.clock,
  ): Promise<RunningConductor> {
    const { stored, script } = this;
    const life = new Life();
    const host = `conductor-${this.conductors.length + 1}`;
    const log = this.options.faulty?.(stored.log) ?? stored.log;
    const bus = this.hub.open();
    const running = await startConductor({
      settings: settingsOf(settings, host),
      prefix: PREFIX,
      bus,
      log: life.of(log),
      readModel: life.of(stored.readModel),
      leases: life.of(stored.leases),
      liveness: life.of(stored.liveness),
      box: secretBox({ masterKey: MASTER_KEY, keys: stored.keyStore, chance: systemChance }),
      transport: transportBox(MASTER_KEY, systemChance),
      hardware:
        this.options.hardware?.(this.clock, this.hub.open(), this.logger()) ?? scriptedHardware(script, this.clock),
      certificates: new MemoryCertificates(),
      logShelf: new MemoryLogShelf(),
      clock,
      chance: systemChance,
      logger: this.logger(),
      soleWriter: false,
    });
    let gone = false;
    const stop = async (): Promise<void> => {
      if (gone) return;
      gone = true;
      await this.whileTimePasses(running.stop());
    };
    this.stops.unshift(stop);
    const conductor = {
      stop,
      kill: () => {
        gone = true;
        life.end();
        // Its subscriptions go at once; that handlers are waited for is a courtesy that the dead do not have.
        void bus.close().catch(() => undefined);
      },
    };
    this.conductors.push(conductor);
    return conductor;
  }

  async scheduler(clock: Clock = this.clock): Promise<void> {
    const { stored, hub } = this;
    const logId = await stored.log.logId();
    const deps = { clock, logger: this.logger(), bus: hub.open(), prefix: PREFIX, logId, readModel: stored.readModel };
    const scheduler = await startScheduler(deps);
    this.stops.unshift(() => this.whileTimePasses(scheduler.stop()));
  }

  /** An api, and who speaks to it. `reads`: what it sees of the store. */
  async api(settings: Values = this.options.settings ?? {}): Promise<Client> {
    const { clock, stored } = this;
    const reads: { readonly reader: EventReader; readonly readModel: ReadModel } = {
      reader: stored.log,
      readModel: stored.readModel,
    };
    const api = await startApi({
      ...reads,
      settings: settingsOf(settings, 'api'),
      bus: this.hub.open(),
      transport: transportBox(MASTER_KEY, systemChance),
      prefix: PREFIX,
      liveness: stored.liveness,
      clock,
      chance: systemChance,
      logger: this.logger(),
      abortGiveUpMs: 64_000,
    });
    this.stops.unshift(() => api.stop());
    return new Client(api.url, this.statuses, () => this.settle());
  }

  /** Publishes what the log holds to `stream`; `faulty`: what becomes of it on the way. */
  async publisher(faulty: (stream: EventStream) => EventStream = (stream) => stream): Promise<EventPublisher> {
    const { clock, stored } = this;
    const stream = faulty(this.stream.open(await stored.log.logId()));
    const publisher = new EventPublisher({ log: stored.log, stream, prefix: PREFIX, clock, logger: this.logger() });
    publisher.start();
    this.stops.unshift(() => publisher.stop());
    return publisher;
  }

  /** Has the scheduler look at its deadlines now: over a store that takes real time it may have missed when it would have. */
  look(): void {
    this.hub.open().hint(subjects.hint(PREFIX, 'deadlines'), new Uint8Array([1]));
  }

  /** Lets everything run that needs no time. */
  settle(): Promise<void> {
    return this.clock.advanceBy(0);
  }

  pass(ms: number): Promise<void> {
    return this.clock.advanceBy(ms);
  }

  /** Lets time pass until it is answered, in steps; returns the answer and how long it took, within a step. */
  async during<T>(asked: Promise<T>, stepMs = 100, ofMs = STOP_SECONDS_MAX * 1000): Promise<{ answer: T; ms: number }> {
    const from = this.clock.now();
    let over = false;
    const ended = asked.finally(() => (over = true));
    ended.catch(() => undefined);
    while (!over && this.clock.now() - from < ofMs) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (!over) await this.clock.advanceBy(stepMs);
    }
    if (!over) throw new Error(`no answer within ${ofMs} ms`);
    return { answer: await ended, ms: this.clock.now() - from };
  }

  /** For stores that take real time: looks until it is so, while the clock stands still or moves by steps. */
  async until(what: string, look: () => Promise<boolean>, stepMs = 0, pauseMs = 5): Promise<void> {
    const giveUp = performance.now() + PATIENCE_MS;
    while (!(await look())) {
      if (performance.now() > giveUp) throw new Error(`gave up waiting for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      await this.clock.advanceBy(stepMs);
    }
  }

  /** A graceful stop may wait for work, and work for time. */
  private async whileTimePasses(stopping: Promise<void>): Promise<void> {
    let ended = false;
    const stopped = stopping.finally(() => (ended = true));
    stopped.catch(() => undefined);
    await this.until('what is being stopped', async () => ended, 1000);
    await stopped;
  }

  async stop(): Promise<void> {
    for (const stop of this.stops.splice(0)) await stop();
    await this.stored.close();
  }
}
