import { decode, encode, subjects } from '@lib/contracts';
import type { Clock, Logger, MessageBus } from '@lib/ports';

const PERIOD_MS = 10_000;

/**
 * Services under one prefix must serve one log (architecture, rule 6): each says which one it serves, and one that hears of
 * another says so and stops.
 */
export async function watchPeers(
  deps: { readonly bus: MessageBus; readonly prefix: string; readonly clock: Clock; readonly logger: Logger },
  logId: string,
  onForeign: (sentence: string) => void,
): Promise<() => Promise<void>> {
  const { bus, prefix, clock, logger } = deps;
  const subject = subjects.hint(prefix, 'log');
  let stopped = false;
  const subscription = await bus.listen(subject, ({ body }) => {
    const other = peerLog(body);
    if (other === null || other === logId || stopped) return;
    const sentence = `another stack uses the bus prefix "${prefix}" with log ${other}, this one serves ${logId}; give one of them its own FERROLOG_BUS_PREFIX`;
    logger.error({ logId, other }, sentence);
    onForeign(sentence);
  });
  const say = (): void => {
    if (stopped) return;
    bus.hint(subject, encode({ logId }));
    timer = clock.after(PERIOD_MS, say);
  };
  let timer = clock.after(0, say);
  return async () => {
    stopped = true;
    timer.cancel();
    await subscription.stop();
  };
}

function peerLog(body: Uint8Array): string | null {
  try {
    const { logId } = decode<{ logId?: unknown }>(body);
    return typeof logId === 'string' ? logId : null;
  } catch {
    return null;
  }
}
