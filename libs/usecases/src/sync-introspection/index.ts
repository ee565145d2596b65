import { decide } from '@lib/domain';
import type { JsonObject } from '@lib/domain';
import type {
  Chance,
  Clock,
  HardwareRegistry,
  IntrospectionReport,
  Logger,
  ReadModel,
  SecretBox,
  Timer,
} from '@lib/ports';
import { inspectFactsOf } from '../handle-command';
import type { ConductorOptions } from '../handle-command';
import { machineOf } from '../machine';
import type { NodeCommits } from '../node-commits';
import { inventoryBlobs } from '../stored-inventory';

export interface SyncDeps {
  readonly commits: NodeCommits;
  readonly readModel: ReadModel;
  readonly hardware: HardwareRegistry;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  readonly options: ConductorOptions;
  /** `[inspector] status_check_period`; 0 or less switches the sync off. */
  readonly periodMs: number;
  /** Inspect interfaces whose peer is asked. */
  readonly interfaces: readonly string[];
  /** `[inventory] data_backend` is not `none`. */
  readonly storeData: boolean;
}

const PAGE = 500;
const IN_FLIGHT_MAX = 16;

/** Asks the inspectors how far they are, for every node in `inspect wait` (contract: inspection.md §9.5). */
export class IntrospectionSync {
  private timer: Timer | null = null;
  private pass: Promise<void> = Promise.resolve();
  private readonly abort = new AbortController();

  constructor(private readonly deps: SyncDeps) {}

  start(): void {
    if (this.deps.periodMs > 0) this.arm();
  }

  async stop(): Promise<void> {
    this.abort.abort();
    this.timer?.cancel();
    await this.pass;
  }

  private arm(): void {
    if (this.abort.signal.aborted) return;
    this.timer = this.deps.clock.after(this.deps.periodMs, () => {
      this.pass = this.run()
        .catch((error: unknown) => this.deps.logger.warn({ reason: String(error) }, 'the status sync was cut short'))
        .finally(() => this.arm());
    });
  }

  /** One pass over all waiting nodes. */
  async run(): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const page = await this.deps.readModel.list({
        kind: 'node',
        where: [
          { column: 'provision_state', is: 'equal', value: 'inspect wait' },
          { column: 'inspect_interface', is: 'in', values: this.deps.interfaces },
        ],
        sort: { column: 'seq', descending: false },
        limit: PAGE,
        after,
      });
      // The last node of the page before was removed meanwhile: the rest has its turn in the next pass.
      if (!page || page.length === 0) return;
      await this.checkAll(page.map(({ id }) => id));
      if (page.length < PAGE || this.abort.signal.aborted) return;
      after = page.at(-1)?.id;
    }
  }

  private async checkAll(uuids: readonly string[]): Promise<void> {
    const queue = [...uuids];
    const worker = async (): Promise<void> => {
      for (let uuid = queue.shift(); uuid !== undefined && !this.abort.signal.aborted; uuid = queue.shift()) {
        await this.check(uuid).catch((error: unknown) =>
          this.deps.logger.warn(
            { node: uuid, reason: String(error) },
            'the status of an introspection is unknown; asked again next time',
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT_MAX, uuids.length) }, worker));
  }

  private async check(uuid: string): Promise<void> {
    const { commits, hardware } = this.deps;
    const { stream } = await commits.streams.load(uuid, true);
    const { node } = stream;
    if (!node?.inspection || node.provisionState !== 'inspect wait') return;
    const { attempt } = node.inspection;
    const inspect = hardware.inspect(node.inspection.interface);
    const call = { signal: this.abort.signal, stillStands: () => Promise.resolve() };
    const report = await inspect.report?.(uuid, call, () => machineOf(node, this.deps.box));
    if (report?.state === 'ended') await this.end(uuid, attempt, report);
  }

  private async end(
    uuid: string,
    attempt: number,
    report: Extract<IntrospectionReport, { state: 'ended' }>,
  ): Promise<void> {
    const { commits, chance, clock, options, hardware, storeData } = this.deps;
    const data = storeData && !report.error ? splitData(report.data) : null;
    const blobs = data && inventoryBlobs(data.inventory, data.pluginData);
    const now = clock.now();
    const meta = {
      commandId: chance.uuid(),
      requestId: null,
      actor: null,
      source: `conductor/${options.host}`,
      at: now,
      causation: 'status sync',
    };
    await commits.commit(uuid, meta, ({ stream }) => ({
      events: decide(
        {
          type: 'ReportIntrospection',
          attempt,
          startedAt: report.startedAt,
          error: report.error,
          inventory: blobs?.stored ?? null,
          inspect: inspectFactsOf(stream.node, { hardware }),
        },
        stream,
        { now, host: options.host, policy: options.policy },
      ),
      blobs: blobs?.blobs,
    }));
  }
}

/** The inspector's stored data is one object with `inventory` inside (contract: inspector-api.md §3.5). */
function splitData(data: JsonObject | null): { inventory: JsonObject; pluginData: JsonObject } | null {
  const inventory = data?.['inventory'];
  if (!data || typeof inventory !== 'object' || inventory === null || Array.isArray(inventory)) return null;
  const pluginData = Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'inventory'));
  return { inventory: inventory as JsonObject, pluginData };
}
