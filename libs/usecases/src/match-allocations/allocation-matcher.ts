import { Refusal, decide, inOrder, requestOf } from '@lib/domain';
import type { AllocationRequest } from '@lib/domain';
import type { Chance, Clock, EventMeta, EventReader, Logger, ReadModel, Timer } from '@lib/ports';
import type { ConductorOptions } from '../handle-command';
import type { NodeCommits, Plan } from '../node-commits';
import { loadResource, resourceWrite } from '../plain-resources';
import type { LoadedResource } from '../plain-resources';
import { fittingNodes } from './candidates';

export interface MatcherDeps {
  readonly commits: NodeCommits;
  readonly reader: EventReader;
  readonly readModel: ReadModel;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  readonly options: ConductorOptions;
  /** `[conductor] check_allocations_interval`; 0: nobody looks for what others left. */
  readonly lookMs?: number;
}

/** What others left is looked for this often unless told; a new allocation wakes the matcher itself. */
const LOOK_MS = 60_000;
/** Between two looks at a store that could not be read or written. */
const TROUBLED_MS = 1000;
const PAGE = 500;
const AT_ONCE = 8;

type Try = 'settled' | 'locked' | 'unfit';

/**
 * Finds a node for each allocation in `allocating` (contract: other-resources.md §10). What it works on is in the log
 * alone: another conductor, or the next start, goes on where this one ended, and the append decides between two of them.
 */
export class AllocationMatcher {
  private timer: Timer | null = null;
  private pass: Promise<void> | null = null;
  private again = false;
  private stopped = false;
  private letGo: () => void = () => undefined;
  private readonly stopping = new Promise<void>((resolve) => {
    this.letGo = resolve;
  });

  constructor(private readonly deps: MatcherDeps) {}

  start(): void {
    this.wake();
  }

  /** There may be a new allocation. */
  wake(): void {
    this.again = true;
    if (this.stopped || this.pass) return;
    this.timer?.cancel();
    this.pass = this.run().then((pauseMs) => {
      this.pass = null;
      if (!this.stopped && pauseMs > 0) this.timer = this.deps.clock.after(pauseMs, () => this.wake());
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.letGo();
    this.timer?.cancel();
    await this.pass;
  }

  /** Resolves with the time until the next look; 0: there is none. */
  private async run(): Promise<number> {
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        await this.matchAll(await this.waiting());
      }
      return this.deps.lookMs ?? LOOK_MS;
    } catch (error) {
      this.deps.logger.warn({ reason: String(error) }, 'allocations can not be matched now');
      return TROUBLED_MS;
    }
  }

  private async waiting(): Promise<string[]> {
    const where = [{ column: 'state', is: 'equal', value: 'allocating' }] as const;
    const sort = { column: 'seq', descending: false };
    const page = (await this.deps.readModel.list({ kind: 'allocation', where, sort, limit: PAGE })) ?? [];
    if (page.length === PAGE) this.again = true;
    return page.map(({ id }) => id);
  }

  private async matchAll(uuids: readonly string[]): Promise<void> {
    const queue = uuids[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const uuid of queue) if (!this.stopped) await this.match(uuid);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, uuids.length) }, worker));
  }

  private async match(uuid: string): Promise<void> {
    const { clock, chance, options, readModel, reader } = this.deps;
    const giveUpAt = clock.now() + options.releaseWaitMs;
    for (;;) {
      const document = allocating(await loadResource('allocation', uuid, reader));
      if (!document || this.stopped) return;
      const request = requestOf(document);
      const fitting = await fittingNodes(request, readModel);
      const locked: string[] = [];
      for (const node of inOrder(fitting, request.name, () => chance.random())) {
        const tried = await this.take(node.uuid, request);
        if (tried === 'settled') return;
        if (tried === 'locked') locked.push(node.uuid);
      }
      const [first] = locked;
      if (first === undefined) return this.fail(uuid, 'no available nodes match what it asks for');
      if (clock.now() >= giveUpAt) return this.fail(uuid, 'all nodes that match what it asks for are locked');
      const released = this.deps.commits.signals.waitFor(first, ({ node }) => !node?.reservation, giveUpAt);
      await Promise.race([released, this.stopping]);
    }
  }

  /** The node is taken and the allocation active in one append, or neither. */
  private async take(node: string, request: AllocationRequest): Promise<Try> {
    const { commits, reader, clock, options } = this.deps;
    try {
      await commits.commit(node, this.meta(request.uuid), async ({ stream }): Promise<Plan> => {
        const loaded = await loadResource('allocation', request.uuid, reader);
        const document = allocating(loaded);
        if (!document) return { events: [] };
        const context = { now: clock.now(), host: options.host, policy: options.policy };
        const events = decide({ type: 'Allocate', request, inUse: false }, stream, context);
        return { events, ...changed(request.uuid, loaded, { state: 'active', node_uuid: node }, context.now) };
      });
      return 'settled';
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.code === 'NODE_LOCKED' || error.code === 'UNAVAILABLE' ? 'locked' : 'unfit';
    }
  }

  private async fail(uuid: string, reason: string): Promise<void> {
    const { commits, reader, clock } = this.deps;
    await commits.commit(uuid, this.meta(uuid), async (): Promise<Plan> => {
      const loaded = await loadResource('allocation', uuid, reader);
      if (!allocating(loaded)) return { events: [] };
      const error = `Failed to process allocation ${uuid}: ${reason}.`;
      return { events: [], ...changed(uuid, loaded, { state: 'error', last_error: error }, clock.now()) };
    });
  }

  private meta(uuid: string): EventMeta {
    const { chance, clock, options } = this.deps;
    return {
      commandId: chance.uuid(),
      requestId: null,
      actor: null,
      source: `conductor/${options.host}`,
      at: clock.now(),
      causation: `allocation ${uuid}`,
    };
  }
}

type Document = Readonly<Record<string, unknown>>;

const allocating = ({ resource }: LoadedResource): Document | null =>
  resource?.document['state'] === 'allocating' ? resource.document : null;

function changed(uuid: string, loaded: LoadedResource, values: Document, at: number): Pick<Plan, 'writes' | 'changes'> {
  const document = { ...loaded.resource?.document, ...values };
  const { write, changes } = resourceWrite('allocation', uuid, loaded, { type: 'Change', document }, at);
  return { writes: [write], changes };
}
