import { inspectorTime, type JsonObject, textAt } from '@lib/domain/introspection';
import type { InspectorRoom } from './room';

/** `20261201-100000.250000`: sorts by time, and is a file's name everywhere. */
const stamp = (instant: number): string => {
  const [whole = '', fraction = '000000'] = inspectorTime(instant).split('.');
  return `${whole.replaceAll('-', '').replaceAll(':', '').replace('T', '-')}.${fraction}`;
};

/**
 * Keeps the ramdisk's own logs, which are no part of the stored data (contract: inspector-api.md §3.7 step 3): those of data that
 * was refused or failed, or all. Where they cannot be kept, that is a line in our log.
 */
const keepLogs = async (room: InspectorRoom, payload: JsonObject, uuid: string | null): Promise<void> => {
  const { logs: shelf, clock, logger } = room.parts;
  const text = textAt(payload, 'logs');
  if (!shelf || text === null) return;
  const name = `${uuid ?? 'unknown'}_${stamp(clock.now())}.tar.gz`;
  await shelf.keep(name, text).catch((error: unknown) => {
    logger.warn({ node: uuid, error: String(error) }, 'The logs of a ramdisk were not kept');
  });
};

/** Runs what is done with the data of a ramdisk. `found`: the node, where it is known by then. */
export const keepingLogs = async (
  room: InspectorRoom,
  payload: JsonObject,
  run: (found: (uuid: string) => void) => Promise<{ uuid: string }>,
): Promise<{ uuid: string }> => {
  let node: string | null = null;
  let isTaken = false;
  try {
    const taken = await run((uuid) => (node = uuid));
    isTaken = true;
    return taken;
  } finally {
    if (!isTaken || room.parts.options.alwaysKeepLogs) await keepLogs(room, payload, node);
  }
};
