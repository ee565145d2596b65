import { decide, isWork, provisionStates } from '@lib/domain';
import { LogUnavailable } from '@lib/ports';
import type { Chance, Clock, Condition, HardwareRegistry, Logger, ReadModel } from '@lib/ports';
import { inspectFactsOf } from '../handle-command';
import type { ConductorOptions } from '../handle-command';
import type { NodeCommits } from '../node-commits';

export interface RecoverDeps {
  readonly commits: NodeCommits;
  readonly readModel: ReadModel;
  readonly hardware: HardwareRegistry;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  readonly options: ConductorOptions;
}

const PAGE = 500;
const AT_ONCE = 16;

const atWork: Condition = { column: 'provision_state', is: 'in', values: provisionStates.filter(isWork) };
const reserved: Condition = { column: 'reservation', is: 'not null' };

/**
 * Before a conductor takes its first request: every node that was left in the middle of work fails, with `lost` = `all`, or
 * those whose work has nothing that could be tried again, with `none` (contract: inspection.md §9.3 step 3, RULE; all of
 * them, not eight). `all` is only for a conductor that knows that no other one is at work. Resolves with how many failed.
 * Rejects with LogUnavailable.
 */
export async function recoverNodes(lost: 'all' | 'none', deps: RecoverDeps): Promise<number> {
  const where = lost === 'all' ? [{ anyOf: [atWork, reserved] }] : [atWork];
  const nodes = await allNodes(where, deps.readModel);
  let failed = 0;
  const work = nodes[Symbol.iterator]();
  const one = async (): Promise<void> => {
    for (const uuid of work) if (await failNode(uuid, lost, deps)) failed += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  if (failed > 0) deps.logger.warn({ nodes: failed }, 'work that was interrupted is not resumed');
  return failed;
}

/** Read before the first of them is changed, so that no page shifts under another. */
async function allNodes(where: readonly Condition[], readModel: ReadModel): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const after = found.at(-1);
    const sort = { column: 'seq', descending: false };
    const page = await readModel.list({ kind: 'node', where, sort, limit: PAGE, ...(after ? { after } : {}) });
    // Another conductor removed the page's last node meanwhile.
    if (page === null) return [...new Set([...found, ...(await allNodes(where, readModel))])];
    found.push(...page.map(({ id }) => id));
    if (page.length < PAGE) return found;
  }
}

/** A node that can not be recovered by a bug stays as it is: it must not keep all others from being served. */
async function failNode(uuid: string, lost: 'all' | 'none', deps: RecoverDeps): Promise<boolean> {
  const { commits, clock, chance, options, logger } = deps;
  const now = clock.now();
  const meta = {
    commandId: chance.uuid(),
    requestId: null,
    actor: null,
    source: `conductor/${options.host}`,
    at: now,
    causation: 'start of the conductor',
  };
  try {
    const { events } = await commits.commit(uuid, meta, ({ stream }) => {
      const inspect = inspectFactsOf(stream.node, deps);
      const context = { now, host: options.host, policy: options.policy };
      return { events: decide({ type: 'Interrupt', cause: 'restart', lost, inspect }, stream, context) };
    });
    return events.length > 0;
  } catch (error) {
    if (error instanceof LogUnavailable) throw error;
    logger.error({ node: uuid, reason: String(error) }, 'a node could not be recovered');
    return false;
  }
}
