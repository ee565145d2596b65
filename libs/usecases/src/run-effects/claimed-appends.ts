import type { Context } from '@lib/domain';
import { LogUnavailable } from '@lib/ports';
import type { Chance, Clock, Logger } from '@lib/ports';
import type { ConductorOptions } from '../handle-command';
import { OldNews } from '../node-commits';
import type { Committed, NodeCommits, Plan } from '../node-commits';
import type { LoadedNode } from '../node-streams';
import type { Lease } from './lease';
import { reasonOf } from './reason';

const APPEND_TRIES_MAX = 5;
const APPEND_PAUSE_MS_MAX = 5000;

export type Planned = (loaded: LoadedNode, context: Context) => Plan | Promise<Plan>;

export interface ClaimedAppendsDeps {
  readonly commits: NodeCommits;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  readonly options: ConductorOptions;
}

/** What effects bring to the log, each under the claim that its worker has (architecture, rule 5). */
export class ClaimedAppends {
  constructor(
    private readonly deps: ClaimedAppendsDeps,
    private readonly stopped: () => boolean,
  ) {}

  /**
   * An append under the claim, again until it is recorded; null: the claim is an older one, and its word is old news. What is
   * refused too often is offered `otherwise` after each further try, so that a store which was away gets the plan itself.
   */
  async commit(
    uuid: string,
    cause: string,
    lease: Lease,
    plan: Planned,
    otherwise?: (why: string) => Planned,
  ): Promise<Committed | null> {
    const { commits, clock, chance, options } = this.deps;
    let refused: string | null = null;
    for (let tries = 1; ; tries += 1) {
      const { fence } = lease;
      const planned = otherwise && refused !== null ? otherwise(refused) : plan;
      try {
        // Within the lease the fence alone decides.
        if (!(await lease.holds())) return null;
        const at = clock.now();
        const source = `conductor/${options.host}`;
        const causation = `${cause} claim ${fence.claim}`;
        const meta = { commandId: chance.uuid(), requestId: null, actor: null, source, at, causation };
        const context = { now: at, host: options.host, policy: options.policy };
        return await commits.commit(uuid, meta, async (loaded) => ({
          ...(await planned(loaded, context)),
          fences: [fence],
        }));
      } catch (error) {
        if (error instanceof OldNews) {
          if (lease.fence.claim === fence.claim) return null;
          continue;
        }
        const isPatient = error instanceof LogUnavailable && !this.stopped();
        const offers: boolean = tries >= APPEND_TRIES_MAX && otherwise !== undefined && refused === null;
        if (tries >= APPEND_TRIES_MAX && !isPatient && !offers) throw error;
        if (tries === APPEND_TRIES_MAX) {
          const fields = { node: uuid, effect: fence.n, reason: reasonOf(error) };
          this.deps.logger.warn(fields, 'what an effect brought can not be recorded yet; it is tried until it is');
        }
        refused = offers ? messageOf(error) : null;
        if (!offers) await pause(Math.min(100 * 2 ** tries, APPEND_PAUSE_MS_MAX), clock);
      }
    }
  }
}

export const pause = (ms: number, clock: Clock): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
