import { MemoryStore, openMemoryLog } from '@lib/adapters/event-log-memory';
import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { documentSchemas } from '@lib/contracts';
import type { Policy, PowerState } from '@lib/domain';
import { LogUnavailable } from '@lib/ports';
import type { Logger, MessageBus } from '@lib/ports';
import { ManualClock } from '@lib/testing/manual-clock';
import { DeadlineScheduler } from '@lib/usecases';
import { openConductor, PREFIX } from '../world';
import { bareMetalApi } from './bare-metal-api';
import { Fate } from './fate';
import { faultyBus } from './faulty-bus';
import { faultyStore } from './faulty-store';
import { startInspector } from './inspectors';
import { machinesFor } from './machines';
import { Process } from './process';
import { Referee } from './referee';
import { Sender } from './sender';
import { Story } from './story';

const CRASH_AT_CALL = 0.0004;
const RESTART_MS_MAX = 20_000;
const FAILING_DAYS = 0.3;
const RETRYING_DAYS = 0.3;

/** Two retries, soon. */
const retries = { attempts: 2, groups: {}, backoffSeconds: 5, factor: 2, secondsMax: 60 };

/** Short ones, so that a day of waiting fits into minutes of the clock. */
const setup = {
  syncPeriodMs: 5000,
  leaseMs: 15_000,
  policy: {
    inspectWaitTimeoutSeconds: 30,
    callbackTimeoutSeconds: { 'wait call-back': 30, 'clean wait': 20, 'rescue wait': 30, 'service wait': 30 },
    peerLimitMs: 17_000,
  },
  limits: { inspectMs: 40_000, peerMs: 15_000, workMs: 20_000, powerMs: 15_000 },
};

/** A service and its successors: when its process dies, another one starts on the same host a while later. */
export interface Seat {
  readonly name: string;
  readonly start: (process: Process) => Promise<void>;
  process: Process;
  lives: number;
}

/** The whole system in one process: two conductors, two schedulers and an inspector on one store, one bus and one clock. */
export class Day {
  /** Everything here consists of promises: nothing needs more than one turn of the event loop. */
  readonly clock = new ManualClock('2026-11-30T08:00:00Z', 1);
  readonly weather = { stormy: true };
  readonly story = new Story(this.clock);
  readonly store = new MemoryStore('log of the day');
  readonly memory = openMemoryLog({ schemas: documentSchemas, clock: this.clock, store: this.store });
  readonly hub = new MemoryBusHub(this.clock);
  readonly referee = new Referee(this.store, this.story);
  readonly fate: Fate;
  /** Of both conductors: what they do with the work of one that went away. */
  private readonly onRestart: 'resume' | 'fail';
  private readonly policy: Partial<Policy>;
  readonly sender: Sender;
  readonly seats: Seat[] = [];
  /** Where requests of operators and ramdisks come in. */
  readonly api: MessageBus;
  private readonly powered = new Map<string, PowerState>();
  private readonly broker = this.hub.open();

  constructor(seed: number) {
    this.fate = new Fate(`day ${seed}`);
    this.onRestart = this.fate.of('on restart').happens(FAILING_DAYS) ? 'fail' : 'resume';
    const isRetrying = this.fate.of('retries').happens(RETRYING_DAYS);
    this.policy = isRetrying ? { ...setup.policy, inspectRetry: retries } : setup.policy;
    const ids = this.fate.of('commands');
    this.sender = new Sender(
      () => ids.uuid(),
      (ended) => this.referee.answered(ended),
    );
    this.memory.log.onCommit((events) => this.referee.heard(events));
    this.api = this.busFor(this.process('api', 0, 0), this.fate.of('api bus'));
  }

  /** All start at once: a start may be slow, and its time passes when the clock is moved. */
  open(): void {
    for (const host of ['conductor-1', 'conductor-2']) this.seat(host, (process) => this.conductor(host, process));
    for (const name of ['scheduler-1', 'scheduler-2']) this.seat(name, (process) => this.scheduler(process));
    this.seat('inspector', (process) => this.inspector(process));
  }

  /** Ends all without a word. */
  close(): void {
    for (const { process } of this.seats) {
      process.resume();
      process.die('the day is over');
    }
  }

  private process(name: string, life: number, crashes: number): Process {
    return new Process(name, this.clock, this.fate.of(`${name} ${life}`), this.weather, this.story, crashes);
  }

  private seat(name: string, start: Seat['start']): void {
    const seat: Seat = { name, start, process: this.process(name, 1, CRASH_AT_CALL), lives: 1 };
    this.seats.push(seat);
    void this.run(seat);
  }

  private async run(seat: Seat): Promise<void> {
    seat.process.whenItDies(() => {
      const { skewMs } = seat.process;
      this.clock.after(this.fate.between(1, RESTART_MS_MAX), () => {
        seat.lives += 1;
        this.story.tell(null, `${seat.name} starts again`);
        seat.process = this.process(seat.name, seat.lives, CRASH_AT_CALL);
        seat.process.skewMs = skewMs;
        void this.run(seat);
      });
    });
    const { process } = seat;
    try {
      await seat.start(process);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      process.die(`it can not start: ${error.message}`);
    }
  }

  private busFor(process: Process, fate: Fate): MessageBus {
    const { broker: hub, clock: world, weather } = this;
    return faultyBus(process, { hub, world, fate, weather, strayed: this.sender.strayed });
  }

  private storeFor(process: Process, fate: Fate) {
    const claiming = this.referee.claiming.bind(this.referee);
    return faultyStore(process, { memory: this.memory, fate, weather: this.weather, claiming });
  }

  private async conductor(host: string, process: Process): Promise<void> {
    const fate = this.fate.of(`${process.name} at ${this.clock.now()}`);
    const bus = this.busFor(process, fate.of('bus'));
    const logger = this.loggerOf(process);
    const { powered, weather } = this;
    await openConductor(
      {
        ...this.storeFor(process, fate.of('store')),
        clock: process.clock,
        chance: fate.of('chance'),
        logger,
        bus,
        prefix: PREFIX,
        hardware: machinesFor(process, { powered, fate: fate.of('machines'), weather, bus, logger }),
      },
      { ...setup, policy: this.policy, host, onRestart: this.onRestart },
    );
  }

  private async scheduler(process: Process): Promise<void> {
    const fate = this.fate.of(`${process.name} at ${this.clock.now()}`);
    const { readModel } = this.storeFor(process, fate.of('store'));
    await new DeadlineScheduler({
      clock: process.clock,
      logger: this.loggerOf(process),
      bus: this.busFor(process, fate.of('bus')),
      prefix: PREFIX,
      logId: this.store.logId,
      readModel,
    }).start();
  }

  private async inspector(process: Process): Promise<void> {
    const fate = this.fate.of(`${process.name} at ${this.clock.now()}`);
    const bus = this.busFor(process, fate.of('bus'));
    const send = this.sender.send.bind(this.sender, this.api);
    const { readModel } = this.memory;
    const api = bareMetalApi({
      readModel,
      fate: fate.of('ports'),
      send: (command) => process.call('a request', () => send(command)),
    });
    await startInspector(process, { bus, api, fate: fate.of('chance'), logger: this.loggerOf(process) });
  }

  private loggerOf({ name }: Process): Logger {
    const quiet = (): void => undefined;
    const error = (fields: object, text: string): void =>
      this.story.tell(null, `${name} logs: ${text} ${JSON.stringify(fields)}`);
    return { debug: quiet, info: quiet, warn: quiet, error };
  }
}
