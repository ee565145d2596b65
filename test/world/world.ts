import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { openMemoryLog } from '@lib/adapters/event-log-memory';
import type { MemoryLog } from '@lib/adapters/event-log-memory';
import { documentSchemas } from '@lib/contracts';
import type { Command, CommandEnvelope, Reply } from '@lib/contracts';
import type { Chance, Logger, MessageBus, OutgoingGet } from '@lib/ports';
import { DeadlineScheduler } from '@lib/usecases';
import { ManualClock } from '@lib/testing/manual-clock';
import { openConductor } from './conductor';
import type { ConductorSetup, WorldConductor } from './conductor';
import { scriptedHardware } from './scripted-hardware';
import { Script } from './script';

export interface LogRecord {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A command on its way: `reply` is null until the conductor has answered. */
export interface Sent {
  readonly commandId: string;
  reply: Reply | null;
}

export const PREFIX = 'test';

const STOP_SECONDS_MAX = 120;

interface SendOptions {
  readonly commandId?: string;
  readonly to?: WorldConductor;
  readonly actor?: string | null;
  /** Of a request with a key. */
  readonly request?: CommandEnvelope['request'];
}

/** One log, one bus, one clock, scripted hardware; conductors and schedulers come and go. */
export class World {
  readonly clock = new ManualClock('2026-11-30T08:00:00Z');
  readonly script = new Script();
  readonly memory: MemoryLog = openMemoryLog({ schemas: documentSchemas, clock: this.clock });
  readonly hub = new MemoryBusHub(this.clock);
  readonly bus: MessageBus = this.hub.open();
  readonly records: LogRecord[] = [];
  readonly hardware = scriptedHardware(this.script, this.clock);
  /** Calls of inspection rules, in their order, and what they are answered: a status, or the reason why there is none. */
  readonly outgoing: OutgoingGet[] = [];
  answerOutgoing: (request: OutgoingGet) => number | Error = () => 200;
  private numbers = 0;
  private readonly conductors: WorldConductor[] = [];
  private readonly schedulers: DeadlineScheduler[] = [];

  /** Counts instead of throwing dice, so that a failing spec fails the same way again. */
  readonly chance: Chance = {
    uuid: () => `00000000-0000-4000-8000-${String(++this.numbers).padStart(12, '0')}`,
    bytes: (length) => Uint8Array.from({ length }, (_, i) => (++this.numbers * 31 + i) % 256),
    random: () => 0.5,
  };

  readonly logger: Logger = this.loggerOf();

  private loggerOf(): Logger {
    const write =
      (level: LogRecord['level']) =>
      (fields: object, text: string): void =>
        void this.records.push({ level, fields: { ...fields }, text });
    return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') } as Logger;
  }

  async conductor(setup: ConductorSetup = {}): Promise<WorldConductor> {
    const { clock, chance, logger, bus, hardware, memory } = this;
    const { log, readModel, leases, keyStore } = memory;
    const outgoing = { get: (request: OutgoingGet) => this.get(request) };
    const place = { outgoing, clock, chance, logger, bus, prefix: PREFIX, log, readModel, leases, keyStore, hardware };
    const conductor = await openConductor(place, setup);
    this.conductors.push(conductor);
    await this.settle();
    return conductor;
  }

  async scheduler(): Promise<DeadlineScheduler> {
    const { clock, logger, bus, memory } = this;
    const logId = await memory.log.logId();
    const scheduler = new DeadlineScheduler({ clock, logger, bus, prefix: PREFIX, logId, readModel: memory.readModel });
    this.schedulers.push(scheduler);
    await scheduler.start();
    await this.settle();
    return scheduler;
  }

  private async get(request: OutgoingGet): Promise<number> {
    this.outgoing.push(request);
    const answer = this.answerOutgoing(request);
    if (typeof answer === 'number') return answer;
    throw answer;
  }

  /** Lets everything run that needs no time. */
  settle(): Promise<void> {
    return this.clock.advanceBy(0);
  }

  send(
    command: Command,
    { commandId = this.chance.uuid(), to = this.conductors.at(-1), actor = null, request }: SendOptions = {},
  ): Sent {
    if (!to) throw new Error('no conductor is there');
    const sent: Sent = { commandId, reply: null };
    const envelope = { commandId, requestId: 'req-1', actor, command, ...(request ? { request } : {}) };
    void to.handler.handle(envelope).then((reply) => (sent.reply = reply));
    return sent;
  }

  /** For commands that are answered without time passing. */
  async ask(command: Command, options: Parameters<World['send']>[1] = {}): Promise<Reply> {
    const sent = this.send(command, options);
    await this.settle();
    if (!sent.reply) throw new Error(`${command.type} waits for something`);
    return sent.reply;
  }

  /** As `ask`; a refusal is a mistake of the spec. */
  async do(command: Command): Promise<void> {
    const reply = await this.ask(command);
    if (!reply.ok) throw new Error(`${command.type}: ${reply.code} ${reply.message}`);
  }

  /** Ends all; time moves on meanwhile, since a graceful stop may wait. */
  async stop(): Promise<void> {
    let ended = false;
    const stopping = Promise.all([...this.schedulers, ...this.conductors].map((one) => one.stop())).finally(() => {
      ended = true;
    });
    for (let seconds = 0; !ended && seconds < STOP_SECONDS_MAX; seconds += 1) await this.clock.advanceBy(1000);
    if (!ended) throw new Error('something is still held: the world does not end');
    await stopping;
  }
}
