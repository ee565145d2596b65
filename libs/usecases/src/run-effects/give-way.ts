import { mayKeepAbortWaiting } from '@lib/domain';
import type { Effect } from '@lib/domain';
import type { Clock, Timer } from '@lib/ports';
import type { EffectLimits } from './limits';

/** How often it is asked whether the effect may go on, once it has had its time. */
const LOOK_MS = 500;

/** What keeps watch over one effect, until it is ended. */
export interface Watch {
  /** Resolves when the effect has to give way; may never. */
  readonly givesWay: Promise<void>;
  end(): void;
}

/**
 * An inspector may take long to answer that it was told to start, or given data, and effects of a node run one at a time: an
 * abort would wait behind that for longer than its requester does. A call has a quarter of a peer's time to itself, so that the
 * inspector hears of both in their order; after that it is broken off as soon as somebody waits for its end, or nobody for its outcome.
 */
export function watchOver(
  effect: Pick<Effect, 'task'>,
  { peerMs }: EffectLimits,
  clock: Clock,
  mayGoOn: () => Promise<boolean>,
): Watch {
  if (!mayKeepAbortWaiting(effect)) return { givesWay: new Promise(() => undefined), end: () => undefined };
  let timer: Timer | null = null;
  let isOver = false;
  const givesWay = new Promise<void>((resolve) => {
    const lookAfter = (ms: number): void => {
      if (!isOver) timer = clock.after(ms, () => void look());
    };
    const look = async (): Promise<void> => {
      // A store that can not be asked now says nothing; the effect has a limit of its own.
      if (await mayGoOn().catch(() => true)) lookAfter(LOOK_MS);
      else resolve();
    };
    lookAfter(peerMs / 4);
  });
  return {
    givesWay,
    end: () => {
      isOver = true;
      timer?.cancel();
    },
  };
}
