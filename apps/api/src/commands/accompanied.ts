import { isQuestion, type Command } from '@lib/contracts';
import type { Along, Commands, Result } from './sender';

/**
 * The commands of one request: what comes with the request goes along with the first of them that may change something. A
 * question changes nothing, and takes nothing along.
 */
export class Accompanied implements Commands {
  private count = 0;

  constructor(
    private readonly commands: Commands,
    private readonly alongWith: (command: Command) => Along,
  ) {}

  /** How many that may change something were sent, whatever became of them. */
  get sent(): number {
    return this.count;
  }

  send(command: Command, requestId: string, along: Along = {}): Promise<Result> {
    if (isQuestion(command)) return this.commands.send(command, requestId, along);
    this.count += 1;
    const own = this.count === 1 ? this.alongWith(command) : {};
    return this.commands.send(command, requestId, { ...own, ...along });
  }
}
