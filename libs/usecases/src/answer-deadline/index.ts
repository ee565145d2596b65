import type { DeadlineAnswer, DeadlineElapsed } from '@lib/contracts';
import { decideElapsed } from '@lib/domain';
import type { ElapseAnswer, Node } from '@lib/domain';
import { LogUnavailable } from '@lib/ports';
import type { Chance, Clock, HardwareRegistry, ReadModel, SecretBox } from '@lib/ports';
import { inspectFactsOf, inspectionChecked } from '../handle-command';
import type { ConductorOptions } from '../handle-command';
import type { NodeCommits } from '../node-commits';
import { uuidOfStream } from '../node-streams';

export interface DeadlineDeps {
  readonly commits: NodeCommits;
  readonly hardware: HardwareRegistry;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly box: SecretBox;
  readonly readModel: ReadModel;
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
  await commits.commit(uuid, meta, async (loaded) => {
    const { node } = loaded.stream;
    const inspect = inspectFactsOf(node, { hardware });
    const start = isRetry(node, n) ? { start: await startOf(node, deps) } : {};
    const context = { now: clock.now(), host: options.host, policy: options.policy };
    verdict = decideElapsed({ type: 'Elapse', n, attempt, inspect, ...start }, loaded.stream, context);
    return { events: verdict.events };
  });
  return answerOf(verdict);
}

const isRetry = (node: Node | null, n: number): node is Node =>
  node?.deadlines.some((deadline) => deadline.n === n && deadline.purpose === 'retry') ?? false;

/** As when an operator asks for it; where the node's secrets cannot be opened, that is what keeps it from starting. */
const startOf = (node: Node, deps: DeadlineDeps) =>
  inspectionChecked(node, deps).catch((error: unknown) => {
    if (error instanceof LogUnavailable) throw error;
    return { problem: error instanceof Error ? error.message : String(error) };
  });

const answerOf = (verdict: ElapseAnswer): DeadlineAnswer =>
  verdict.answer === 'early' ? { answer: 'early', afterMs: verdict.afterMs } : { answer: verdict.answer };
