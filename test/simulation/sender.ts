import { commandWords, decode, encode, subjects } from '@lib/contracts';
import type { Command, CommandEnvelope, Reply } from '@lib/contracts';
import { BusError } from '@lib/ports';
import type { MessageBus } from '@lib/ports';
import { PREFIX } from '../world';

/** Null: no conductor answered, whatever happened. */
export type Answer = Reply | null;

/** A command that was answered, or given up. */
export interface Ended {
  readonly commandId: string;
  readonly command: Command;
  readonly answer: Answer;
  /** Sent once, delivered once, answered: only then does a refusal speak for the whole command. */
  readonly isPlain: boolean;
}

/** Longer than a conductor keeps a command: release, peer's word and grace. */
const ANSWER_MS = 40_000;

/** Sends as the api does: with an id, and the same command once more when nobody answers (architecture, rule 1). */
export class Sender {
  /** Commands on their way. */
  open = 0;
  private readonly strays = new Set<string>();

  constructor(
    private readonly uuid: () => string,
    private readonly ended: (one: Ended) => void,
  ) {}

  /** The bus tells of bodies that it delivered twice, or late. */
  readonly strayed = (body: Uint8Array): void => {
    const { commandId } = decode<Partial<CommandEnvelope>>(body);
    if (commandId) this.strays.add(commandId);
  };

  async send(bus: MessageBus, command: Command): Promise<Answer> {
    const [concept, word] = commandWords[command.type];
    const subject = subjects.command(PREFIX, concept, word, command.uuid);
    const envelope: CommandEnvelope = { commandId: this.uuid(), requestId: null, actor: null, command };
    this.open += 1;
    let answer: Answer = null;
    let tries = 0;
    while (answer === null && tries < 2) {
      tries += 1;
      answer = await this.ask(bus, subject, encode(envelope));
    }
    this.open -= 1;
    const isPlain = tries === 1 && answer !== null && !this.strays.has(envelope.commandId);
    this.ended({ commandId: envelope.commandId, command, answer, isPlain });
    return answer;
  }

  private async ask(bus: MessageBus, subject: string, body: Uint8Array): Promise<Answer> {
    try {
      return decode<Reply>(await bus.request(subject, body, { timeoutMs: ANSWER_MS }));
    } catch (error) {
      if (error instanceof BusError) return null;
      throw error;
    }
  }
}
