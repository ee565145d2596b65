import { decode, encode, subjects } from '@lib/contracts';
import type { Clock, Logger, MessageBus } from '@lib/ports';

const PERIOD_MS = 10_000;

/**
 * Services under one prefix must serve one log (architecture, rule 6): each says which one it serves, and one that hears of
 * another says so. The younger one stops; the older one tells it at once and goes on, since a stack that was started with
 * a wrong prefix must not end one that serves.
 */
export async function watchPeers(
  deps: { readonly bus: MessageBus; readonly prefix: string; readonly clock: Clock; readonly logger: Logger },
  logId: string,
  onForeign: (sentence: string) => void,
): Promise<() => Promise<void>> {
  const { bus, prefix, clock, logger } = deps;
  const subject = subjects.hint(prefix, 'log');
  const since = clock.now();
  const tell = (): void => bus.hint(subject, encode({ logId, since }));
  let stopped = false;
  const subscription = await bus.listen(subject, ({ body }) => {
    const other = peerOf(body);
    if (other === null || other.logId === logId || stopped) return;
    const sentence = `another stack uses the bus prefix "${prefix}" with log ${other.logId}, this one serves ${logId}; give one of them its own FERROLOG_BUS_PREFIX`;
    logger.error({ logId, other: other.logId }, sentence);
    if (other.since > since) tell();
    else onForeign(sentence);
  });
  const say = (): void => {
    if (stopped) return;
    tell();
    timer = clock.after(PERIOD_MS, say);
  };
  let timer = clock.after(0, say);
  return async () => {
    stopped = true;
    timer.cancel();
    await subscription.stop();
  };
}

interface Peer {
  readonly logId: string;
  /** When it began to listen, ms of its own clock. */
  readonly since: number;
}

function peerOf(body: Uint8Array): Peer | null {
  try {
    const { logId, since } = decode<{ logId?: unknown; since?: unknown }>(body);
    return typeof logId === 'string' ? { logId, since: typeof since === 'number' ? since : 0 } : null;
  } catch {
    return null;
  }
}
