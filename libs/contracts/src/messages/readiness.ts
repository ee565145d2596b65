/** A service's word on itself: what it needs and has not got is named. */
export interface Readiness {
  readonly ready: boolean;
  readonly missing: readonly string[];
}
