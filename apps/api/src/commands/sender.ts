import { commandWords, decode, encode, subjects, type Command, type CommandEnvelope, type Reply } from '@lib/contracts';
import { BusError, type BusErrorCode, type Chance, type MessageBus, type TransportBox } from '@lib/ports';
import { sealCommand } from '@lib/usecases/sealed-commands';
import { ApiFault, refusalFault } from '../faults';

export interface SenderOptions {
  readonly bus: MessageBus;
  readonly prefix: string;
  readonly chance: Chance;
  readonly transport: TransportBox;
  /** Longer than a conductor may keep a command waiting, see `commandTimeoutMs`. */
  readonly timeoutMs: number;
}

/** Results of an accepted command: what the read model does not hold. */
export type Result = Readonly<Record<string, unknown>>;

/**
 * Sends commands to the conductors. Without an answer the same command is sent once more; a conductor answers a
 * command id that it knows with the recorded outcome, so the second sending does nothing twice (architecture, rule 1).
 */
export class CommandSender {
  constructor(private readonly options: SenderOptions) {}

  /** Rejects with ApiFault: the refusal's own, 503 without an answer, 500 for a bug in the conductor. */
  async send(asked: Command, requestId: string): Promise<Result> {
    const command = sealCommand(asked, this.options.transport);
    const envelope: CommandEnvelope = { commandId: this.options.chance.uuid(), requestId, actor: null, command };
    const reply = await this.ask(subjectOf(this.options.prefix, command), encode(envelope));
    if (reply.ok) return reply.result;
    if (reply.code === 'INTERNAL') throw new ApiFault(500, reply.message);
    throw refusalFault(reply.code, reply.message);
  }

  private async ask(subject: string, body: Uint8Array): Promise<Reply> {
    const failures: BusErrorCode[] = [];
    while (failures.length < 2) {
      try {
        return decode<Reply>(await this.options.bus.request(subject, body, { timeoutMs: this.options.timeoutMs }));
      } catch (error) {
        if (!(error instanceof BusError)) throw error;
        failures.push(error.code);
        if (error.code === 'CLOSED' || error.code === 'TOO_LARGE') break;
      }
    }
    throw unanswered(failures);
  }
}

function subjectOf(prefix: string, command: Command): string {
  const [concept, word] = commandWords[command.type];
  return subjects.command(prefix, concept, word, command.uuid);
}

function unanswered(failures: readonly BusErrorCode[]): ApiFault {
  if (failures.includes('TIMEOUT')) {
    const text =
      'No conductor answered in time. Whether the request was carried out is unknown: look before you repeat it.';
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
