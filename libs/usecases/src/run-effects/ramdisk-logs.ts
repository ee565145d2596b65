import type { RamdiskLogs } from '@lib/domain';
import type { Call, Logger, LogShelf } from '@lib/ports';
import type { InspectionOptions } from '../process-inspection';
import { dropLogs } from '../ramdisk-logs';
import { reasonOf } from './reason';

export interface LogsDeps {
  readonly logShelf: LogShelf;
  readonly logger: Logger;
  readonly options: { readonly inspection: Pick<InspectionOptions, 'collectLogs'> };
}

/**
 * Does what is done with the data of a ramdisk whose logs were put aside: of data that failed they stay, and the reason of the
 * failure names them; else they go, unless all are wanted (contract: inspection.md §6.4, step 4).
 */
export async function keepingLogs<Result>(
  logs: RamdiskLogs | undefined,
  call: Call,
  deps: LogsDeps,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!logs) return work();
  const { name, host } = logs;
  try {
    const result = await work();
    if (deps.options.inspection.collectLogs !== 'always') await dropLogs(name, deps);
    return result;
  } catch (error) {
    try {
      await call.stillStands();
    } catch (gone) {
      // Where it stopped because the inspection no longer stands, it has not failed.
      await dropLogs(name, deps);
      throw gone;
    }
    throw new Error(`${reasonOf(error)} (logs of the ramdisk: ${name} on ${host})`, { cause: error });
  }
}
