import { decide } from '@lib/domain';
import type { JsonObject } from '@lib/domain';
import type {
  Chance,
  Clock,
  Condition,
  HardwareRegistry,
  IntrospectionReport,
  Logger,
  ReadModel,
  SecretBox,
} from '@lib/ports';
import { inspectFactsOf } from '../handle-command';
import type { ConductorOptions } from '../handle-command';
import { machineOf } from '../machine';
import type { NodeCommits } from '../node-commits';
import { NodeRound } from '../node-round';
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

const IN_FLIGHT_MAX = 16;

/** Asks the inspectors how far they are, for every node in `inspect wait` (contract: inspection.md §9.5). */
export class IntrospectionSync {
  private readonly round: NodeRound;

  constructor(private readonly deps: SyncDeps) {
    const words = {
      cutShort: 'the status sync was cut short',
      missed: 'the status of an introspection is unknown; asked again next time',
    };
    const where: Condition[] = [
      { column: 'provision_state', is: 'equal', value: 'inspect wait' },
      { column: 'inspect_interface', is: 'in', values: deps.interfaces },
    ];
    const among = () => Promise.resolve({ where });
    const lookAt = (uuid: string) => this.check(uuid);
    this.round = new NodeRound({ periodMs: deps.periodMs, workers: IN_FLIGHT_MAX, words, among, lookAt }, deps);
  }

  start(): void {
    this.round.start();
  }

  stop(): Promise<void> {
    return this.round.stop();
  }

  /** One pass over all waiting nodes. */
  run(): Promise<void> {
    return this.round.run();
  }

  private async check(uuid: string): Promise<void> {
    const { commits, hardware } = this.deps;
    const { stream } = await commits.streams.load(uuid, true);
    const { node } = stream;
    if (!node?.inspection || node.provisionState !== 'inspect wait') return;
    const { attempt } = node.inspection;
    const inspect = hardware.inspect(node.inspection.interface);
    const call = { signal: this.round.signal, stillStands: () => Promise.resolve() };
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
