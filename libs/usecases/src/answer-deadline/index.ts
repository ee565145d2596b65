import type { DeadlineAnswer, DeadlineElapsed } from '@lib/contracts';
import { decideElapsed } from '@lib/domain';
import type { ElapseAnswer } from '@lib/domain';
import type { Chance, Clock, HardwareRegistry } from '@lib/ports';
import { inspectFactsOf } from '../handle-command';
import type { ConductorOptions } from '../handle-command';
import type { NodeCommits } from '../node-commits';
import { uuidOfStream } from '../node-streams';

export interface DeadlineDeps {
  readonly commits: NodeCommits;
  readonly hardware: HardwareRegistry;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly options: ConductorOptions;
}

/** A timeout event of the scheduler: the aggregate decides, with its own clock (architecture, rule 4). */
export async function answerDeadline(
  { stream, n, attempt }: DeadlineElapsed,
  deps: DeadlineDeps,
): Promise<DeadlineAnswer> {
  const { commits, hardware, clock, chance, options } = deps;
  const uuid = uuidOfStream(stream);
  let verdict: ElapseAnswer = { answer: 'gone', events: [] };
  const at = clock.now();
  const meta = {
    commandId: chance.uuid(),
    requestId: null,
    actor: null,
    source: `conductor/${options.host}`,
    at,
    causation: `deadline ${n}`,
  };
  await commits.commit(uuid, meta, (loaded) => {
    const inspect = inspectFactsOf(loaded.stream.node, { hardware });
    const context = { now: clock.now(), host: options.host, policy: options.policy };
    verdict = decideElapsed({ type: 'Elapse', n, attempt, inspect }, loaded.stream, context);
    return { events: verdict.events };
  });
  return answerOf(verdict);
}

const answerOf = (verdict: ElapseAnswer): DeadlineAnswer =>
  verdict.answer === 'early' ? { answer: 'early', afterMs: verdict.afterMs } : { answer: verdict.answer };
