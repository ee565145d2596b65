import {
  commandWords,
  decode,
  encode,
  subjects,
  type Command,
  type CommandEnvelope,
  type KeyedRequest,
  type Reply,
} from '@lib/contracts';
import { BusError, type BusErrorCode, type Chance, type Clock, type MessageBus, type TransportBox } from '@lib/ports';
import { sealCommand } from '@lib/usecases/sealed-commands';
import { ApiFault, refusalFault } from '../faults';

export interface SenderOptions {
  readonly bus: MessageBus;
  readonly prefix: string;
  readonly chance: Chance;
  readonly clock: Clock;
  readonly transport: TransportBox;
  /** Longer than a conductor may keep a command waiting, see `commandTimeoutMs`. */
  readonly timeoutMs: number;
}

/** Results of an accepted command: what the read model does not hold. */
export type Result = Readonly<Record<string, unknown>>;

/** What a command has from its request beside what it asks. */
export interface Along {
  /** Drawn from the key of the request; a new one unless given. */
  readonly commandId?: string;
  readonly request?: KeyedRequest;
  /** See CommandEnvelope. */
  readonly expected?: readonly number[];
  /** See CommandEnvelope. */
  readonly globalRequestId?: string;
}

/** What handlers send commands with. */
export interface Commands {
  /** Rejects with ApiFault: the refusal's own, 503 without an answer, 500 for a bug in the conductor. */
  send(asked: Command, requestId: string, along?: Along): Promise<Result>;
}

/** Between two sendings. A conductor that is started again serves after a second or two. */
const PAUSE_MS = 200;
/** What a conductor says when it did not carry out what it was sent; it knows nothing of a sending before. */
const notCarriedOut: ReadonlySet<string> = new Set(['UNAVAILABLE', 'NO_FREE_WORKER']);

/**
 * Sends commands to the conductors. What was not sent is tried once more at once. What was sent and not answered is sent
 * again until there is an answer or the time for one is over: a conductor answers a command id that it knows with the
 * recorded outcome, so no sending does anything twice (architecture, rule 1).
 */
export class CommandSender implements Commands {
  constructor(private readonly options: SenderOptions) {}

  async send(asked: Command, requestId: string, along: Along = {}): Promise<Result> {
    const command = sealCommand(asked, this.options.transport);
    const { commandId = this.options.chance.uuid(), ...conditions } = along;
    const envelope: CommandEnvelope = { commandId, requestId, actor: null, command, ...conditions };
    const reply = await this.ask(subjectOf(this.options.prefix, command), encode(envelope));
    if (reply.ok) return reply.result;
    if (reply.code === 'INTERNAL') throw new ApiFault(500, reply.message);
    throw refusalFault(reply.code, reply.message);
  }

  private async ask(subject: string, body: Uint8Array): Promise<Reply> {
    const { bus, clock, timeoutMs } = this.options;
    const failures: BusErrorCode[] = [];
    const giveUpAt = clock.now() + timeoutMs;
    for (let tried = 0; mayBeTriedAgain(failures, tried, clock.now() < giveUpAt); tried += 1) {
      if (failures.includes('TIMEOUT')) await this.pause();
      try {
        const reply = decode<Reply>(await bus.request(subject, body, { timeoutMs }));
        if (!failures.includes('TIMEOUT') || reply.ok || !notCarriedOut.has(reply.code)) return reply;
      } catch (error) {
        if (!(error instanceof BusError)) throw error;
        failures.push(error.code);
      }
    }
    throw unanswered(failures);
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.options.clock.after(PAUSE_MS, resolve));
  }
}

function mayBeTriedAgain(failures: readonly BusErrorCode[], tried: number, isTimeLeft: boolean): boolean {
  if (failures.includes('CLOSED') || failures.includes('TOO_LARGE')) return false;
  return tried < 2 || (isTimeLeft && failures.includes('TIMEOUT'));
}

function subjectOf(prefix: string, command: Command): string {
  const [concept, word] = commandWords[command.type];
  return subjects.command(prefix, concept, word, command.uuid);
}

function unanswered(failures: readonly BusErrorCode[]): ApiFault {
  // A bus that is closed under a request that it had sent says no more than that.
  if (failures.includes('TIMEOUT') || failures.includes('CLOSED')) {
    const reason = failures.includes('TIMEOUT') ? 'No conductor answered in time' : 'This service is stopping';
    const text = `${reason}. Whether the request was carried out is unknown: look before you repeat it.`;
    return new ApiFault(503, text);
  }
  if (failures.includes('TOO_LARGE')) return new ApiFault(413, 'The request is larger than the message bus carries.');
  const reason = failures.includes('NO_RESPONDERS') ? 'No conductor is listening' : 'The message bus cannot be reached';
  return new ApiFault(503, `${reason}. Nothing happened; the request may be repeated.`);
}

/**
 * How long the api waits for a reply: the conductor may wait for a reservation to end and then for a peer's word
 * until its own give-up time.
 */
export function commandTimeoutMs(lockWindowMs: number, abortGiveUpMs: number): number {
  return Math.max(30_000, lockWindowMs + abortGiveUpMs + 5_000);
}
