import type { At, DeadlineSpec } from './event-parts';

/** Who asked for it, as the request said: the user (null without authentication) and the request's id. */
export interface Asker {
  readonly user: string | null;
  readonly request: string | null;
}

/** An operator's word on the deadline of a wait. Its number stays: it is the same wait. */
interface DeadlineWord {
  readonly at: At;
  /** As it is from now on. */
  readonly deadline: DeadlineSpec;
  readonly by: Asker;
  readonly reason: string | null;
}

export type DeadlineEvent =
  | { readonly type: 'DeadlineExtended'; readonly data: DeadlineWord & { readonly before: At } }
  /** Its time stands still: what is left of it is left when it is resumed. */
  | { readonly type: 'DeadlinePaused'; readonly data: DeadlineWord }
  /** Due as much later as the pause was long. */
  | { readonly type: 'DeadlineResumed'; readonly data: DeadlineWord };
