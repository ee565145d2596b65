import { Refusal } from '@lib/domain';
import type { JsonObject, RamdiskLogs } from '@lib/domain';
import type { HandlerDeps } from '../handle-command/deps';
import { dropLogs, keepLogs, logsIn, nameOfLogs } from '../ramdisk-logs';

type Deps = Pick<HandlerDeps, 'clock' | 'options' | 'logShelf' | 'logger'>;

/** The logs that came with some data, put aside when it is sure that the data is taken. */
export interface LogsAside {
  /** For the command that takes the data of that node; nothing where no logs came or they can not be kept. May be asked again. */
  put(uuid: string): Promise<{ readonly logs?: RamdiskLogs }>;
}

/**
 * Takes data of a ramdisk. Its logs are too large for the log of a node, and whether they are wanted is known only when the data
 * has been processed (contract: inspection.md §6.4, step 4): until then they lie on the shelf. Of data that is refused after all
 * they go again.
 */
export async function withLogsAside<Taken>(
  pluginData: JsonObject,
  deps: Deps,
  take: (aside: LogsAside) => Promise<Taken>,
): Promise<Taken> {
  const { clock, options } = deps;
  const text = options.inspection.collectLogs === 'never' ? null : logsIn(pluginData);
  let kept: RamdiskLogs | null = null;
  const put = async (uuid: string): Promise<{ readonly logs?: RamdiskLogs }> => {
    if (text === null) return {};
    const logs = kept ?? { name: nameOfLogs(uuid, clock.now()), host: options.host };
    if (kept === null && (await keepLogs(logs.name, text, deps))) kept = logs;
    return kept ? { logs: kept } : {};
  };
  try {
    return await take({ put });
  } catch (error) {
    // Whatever else failed may have been after the append.
    const { name } = (kept as RamdiskLogs | null) ?? { name: null };
    if (name !== null && error instanceof Refusal) await dropLogs(name, deps);
    throw error;
  }
}
