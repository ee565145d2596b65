/** A service's word on itself: what it needs and has not got is named. */
export interface Readiness {
  readonly ready: boolean;
  readonly missing: readonly string[];
  /** Work that fails at the moment and is tried again, while requests are served; absent when all is well. */
  readonly troubled?: readonly string[];
}
