export type AuthType = 'basic' | 'session' | 'auto';

/** `[redfish]`, and what else shapes its calls. Times in ms. */
export interface RedfishOptions {
  readonly authType: AuthType;
  /** For nodes that verify and name no CA of their own: true, false, or a path. */
  readonly verifyCa: boolean | string;
  /** Tries of a call whose connection fails or whose account is refused. */
  readonly connectionAttempts: number;
  readonly connectionRetryMs: number;
  /** Further tries of a read that is answered 5xx. */
  readonly serverErrorAttempts: number;
  readonly serverErrorRetryMs: number;
  readonly connectTimeoutMs: number;
  /** Longest silence of a BMC that is expected to say something. */
  readonly readTimeoutMs: number;
  /** Longest time of a question that somebody waits for. */
  readonly questionMs: number;
  /** Connections that are kept; 0 = none. */
  readonly connectionsMax: number;
  /** `[conductor] power_state_change_timeout`. */
  readonly powerChangeMs: number;
  /** `[conductor] soft_power_off_timeout`. */
  readonly softPowerOffMs: number;
  /** Names of the hooks that out-of-band inspection runs, in their order. */
  readonly hooks: readonly string[];
}
