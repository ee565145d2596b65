import type { At } from './event-parts';
import type { PowerState } from '../states';

/** What the look at the machine's power found, beside any request (contract: config.md, sync_power_state_interval). */
export type PowerLookEvent =
  /** Another state than the one recorded. */
  | { readonly type: 'PowerStateSeen'; readonly data: { readonly at: At; readonly powerState: PowerState } }
  /** The power can not be read, or not be kept as recorded: the node goes into maintenance with its fault. */
  | { readonly type: 'PowerControlLost'; readonly data: { readonly at: At; readonly error: string } }
  /** A node with that fault answers again, which ends the maintenance. */
  | { readonly type: 'PowerControlRegained'; readonly data: { readonly at: At; readonly powerState: PowerState } };

/** `putRight`: the machine is to go back into the recorded state, rather than the record to follow the machine. */
export type PowerSeen = { readonly state: PowerState; readonly putRight: boolean } | { readonly lost: string };
