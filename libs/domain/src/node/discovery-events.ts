import type { Effect, StoredInventory } from './effects';
import type { At } from './event-parts';

/** A machine that nobody knew posted its data: what is made of that, in `enroll` and outside any inspection (contract: inspection.md §6.6). */
export type DiscoveryEvent =
  | {
      readonly type: 'DiscoveryStarted';
      readonly data: {
        readonly at: At;
        /** Processes the data; its task names it. */
        readonly effect: Effect;
        readonly host: string;
        /** Digest of a token issued with the answer, null when none was. */
        readonly tokenDigest: string | null;
      };
    }
  | {
      readonly type: 'DiscoveryFinished';
      readonly data: { readonly at: At; readonly effect: number; readonly inventory: StoredInventory | null };
    }
  | {
      readonly type: 'DiscoveryFailed';
      readonly data: { readonly at: At; readonly effect: number; readonly error: string };
    };
