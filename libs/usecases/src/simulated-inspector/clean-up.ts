import { ended, isOverdue } from '@lib/domain/introspection';
import type { Timer } from '@lib/ports';
import type { InspectorRoom } from './room';

/** Ends what has been open for too long; a locked row is looked at again next time (contract: inspector-api.md §4). */
export const endOverdueRuns = (room: InspectorRoom): void => {
  const now = room.parts.clock.now();
  for (const row of room.rows.values()) {
    if (!isOverdue(row, now, room.parts.options.timeoutMs)) continue;
    const release = room.locks.tryTake(row.uuid);
    if (!release) continue;
    room.put(ended(row, 'timeout', now, 'Introspection timeout'));
    release();
  }
};

/** Forgets the rows of nodes that the Bare Metal API no longer has. */
export const forgetRemovedNodes = async (room: InspectorRoom): Promise<void> => {
  const before = [...room.rows.values()];
  if (before.length === 0) return;
  const known = await room.onBehalf(null, () => room.parts.api.nodeUuids());
  for (const row of before) {
    if (known.has(row.uuid) || room.rows.get(row.uuid)?.run !== row.run) continue;
    const release = room.locks.tryTake(row.uuid);
    if (!release) continue;
    room.forget(row.uuid);
    release();
  }
};

/** Runs both every `cleanUpPeriodMs`; returns what stops it. */
export const keepClean = (room: InspectorRoom): (() => void) => {
  const { clock, options, logger } = room.parts;
  let timer: Timer | null = null;
  let stopped = false;
  const tick = (): void => {
    endOverdueRuns(room);
    const swept = forgetRemovedNodes(room).catch((error: unknown) => {
      logger.warn({ error: String(error) }, 'The inspector could not compare its cache with the Bare Metal API');
    });
    void swept.finally(arm);
  };
  const arm = (): void => {
    if (!stopped && options.cleanUpPeriodMs > 0) timer = clock.after(options.cleanUpPeriodMs, tick);
  };
  arm();
  return () => {
    stopped = true;
    timer?.cancel();
  };
};
