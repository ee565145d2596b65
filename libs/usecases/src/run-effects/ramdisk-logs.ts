import type { EffectOutcome, EffectTask, RamdiskLogs } from '@lib/domain';
import type { Logger, LogShelf } from '@lib/ports';
import type { InspectionOptions } from '../process-inspection';
import { dropLogs } from '../ramdisk-logs';

export interface LogsDeps {
  readonly logShelf: LogShelf;
  readonly logger: Logger;
  readonly options: { readonly inspection: Pick<InspectionOptions, 'collectLogs'> };
}

const logsOf = (task: EffectTask): RamdiskLogs | undefined =>
  task.kind === 'process inspection data' ? task.logs : undefined;

/** Of data that failed, whatever it failed of: the reason names the logs that came with it (contract: inspection.md §6.4, step 4). */
export function namingLogs(outcome: EffectOutcome, task: EffectTask): EffectOutcome {
  const logs = logsOf(task);
  if (!logs || outcome.result !== 'failed') return outcome;
  return { ...outcome, reason: `${outcome.reason} (logs of the ramdisk: ${logs.name} on ${logs.host})` };
}

/**
 * What becomes of the logs. Only once the outcome is in the log of the node: until then a crash or another conductor may bring a
 * failure that names them. `recorded`: null where this worker's word was old news.
 */
export async function settleLogs(
  task: EffectTask,
  recorded: EffectOutcome | null,
  isNodeGone: () => Promise<boolean>,
  deps: LogsDeps,
): Promise<void> {
  const logs = logsOf(task);
  if (logs && (await areUnwanted(recorded, isNodeGone, deps))) await dropLogs(logs.name, deps);
}

async function areUnwanted(
  recorded: EffectOutcome | null,
  isNodeGone: () => Promise<boolean>,
  { options }: LogsDeps,
): Promise<boolean> {
  switch (recorded?.result) {
    case 'failed':
      return false;
    case 'done':
      return options.inspection.collectLogs !== 'always';
    case 'cancelled':
      return true;
    default:
      return isNodeGone();
  }
}
