import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { CommandEnvelope, DeadlineAnswer, DeadlineElapsed, Reply } from '@lib/contracts';
import { COMMANDS, DEADLINES } from './tokens';

/** The two kinds of requests that a conductor answers. */
@Controller()
export class CommandsController {
  constructor(
    @Inject(COMMANDS) private readonly commands: (envelope: CommandEnvelope) => Promise<Reply>,
    @Inject(DEADLINES) private readonly deadlines: (elapsed: DeadlineElapsed) => Promise<DeadlineAnswer>,
  ) {}

  @MessagePattern('command')
  command(@Payload() envelope: CommandEnvelope): Promise<Reply> {
    return this.commands(envelope);
  }

  @MessagePattern('deadline')
  deadline(@Payload() elapsed: DeadlineElapsed): Promise<DeadlineAnswer> {
    return this.deadlines(elapsed);
  }
}
