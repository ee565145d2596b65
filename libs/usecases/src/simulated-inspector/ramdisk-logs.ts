import type { JsonObject } from '@lib/domain/introspection';
import { keepLogs, logsIn, nameOfLogs } from '../ramdisk-logs';
import type { InspectorRoom } from './room';

/**
 * Runs what is done with the data of a ramdisk; the logs of data that was refused or failed are kept, or all (contract:
 * inspector-api.md §3.7 step 3). `found`: the node, where it is known by then.
 */
export const keepingLogs = async (
  room: InspectorRoom,
  payload: JsonObject,
  run: (found: (uuid: string) => void) => Promise<{ uuid: string }>,
): Promise<{ uuid: string }> => {
  const { logs: logShelf, clock, logger, options } = room.parts;
  const logs = logsIn(payload);
  let node: string | null = null;
  let isTaken = false;
  try {
    const taken = await run((uuid) => (node = uuid));
    isTaken = true;
    return taken;
  } finally {
    if (logShelf && logs !== null && (!isTaken || options.alwaysKeepLogs)) {
      await keepLogs(nameOfLogs(node, clock.now()), logs, { logShelf, logger });
    }
  }
};
