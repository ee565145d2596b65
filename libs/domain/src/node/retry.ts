import { Refusal } from '../refusal';
import type { At } from './event-parts';
import type { NodeFields } from './fields';
import { waitTimeoutProblem } from './wait-timeout';

/** Settings of `[inspector] retry_*`. */
export interface RetrySettings {
  /** How often an inspection that ended by an error or a timeout begins anew by itself; 0: never. */
  readonly attempts: number;
  /** The same for the nodes of a conductor group, by its name. */
  readonly groups: Readonly<Record<string, number>>;
  /** Seconds before the first retry; each further one waits `factor` times as long, `secondsMax` at most. */
  readonly backoffSeconds: number;
  readonly factor: number;
  readonly secondsMax: number;
}

/** The driver_info keys of a node's own policy: a number of retries, and seconds. */
export const RETRY_ATTEMPTS_KEY = 'inspect_retry_attempts';
export const RETRY_BACKOFF_KEY = 'inspect_retry_backoff';

/** More are a mistake: nobody wants a machine to be booted for ever. */
export const RETRY_ATTEMPTS_MAX = 100;
export const RETRY_SECONDS_MAX = 30 * 24 * 3600;

type Info = Readonly<Record<string, unknown>>;

const own = (info: Info, key: string): unknown => (Object.hasOwn(info, key) ? (info[key] ?? undefined) : undefined);

/** What is wrong with a node's own policy, null when it is absent or good. */
export function retryProblem(driverInfo: Info): string | null {
  const attempts = own(driverInfo, RETRY_ATTEMPTS_KEY);
  if (attempts !== undefined && !(Number.isInteger(attempts) && isWithin(attempts, RETRY_ATTEMPTS_MAX)))
    return `driver_info/${RETRY_ATTEMPTS_KEY} must be an integer from 0 (never) to ${RETRY_ATTEMPTS_MAX}`;
  const seconds = own(driverInfo, RETRY_BACKOFF_KEY);
  if (seconds !== undefined && !isWithin(seconds, RETRY_SECONDS_MAX))
    return `driver_info/${RETRY_BACKOFF_KEY} must be a number of seconds from 0 to ${RETRY_SECONDS_MAX}`;
  return null;
}

const isWithin = (value: unknown, most: number): boolean => typeof value === 'number' && value >= 0 && value <= most;

/** What is wrong with what a node itself says of its inspections; null: nothing. */
export const ownInspectionProblem = (driverInfo: Info): string | null =>
  waitTimeoutProblem(driverInfo) ?? retryProblem(driverInfo);

export function checkOwnInspection(driverInfo: Info): void {
  const problem = ownInspectionProblem(driverInfo);
  if (problem) throw new Refusal('INVALID_PARAMETER', problem);
}

/** How many retries a node gets: its own word counts before that of its group, and that before all others. */
function attemptsFor({ driver_info, conductor_group: group }: NodeFields, { attempts, groups }: RetrySettings): number {
  const wanted = own(driver_info, RETRY_ATTEMPTS_KEY);
  if (typeof wanted === 'number') return wanted;
  return group && Object.hasOwn(groups, group) ? (groups[group] ?? attempts) : attempts;
}

/** The retry that follows one that ended now; `done`: how many there were. Null: none. */
export function nextRetry(
  fields: NodeFields,
  done: number,
  settings: RetrySettings | undefined,
  now: At,
): { readonly number: number; readonly of: number; readonly due: At } | null {
  if (!settings) return null;
  const of = attemptsFor(fields, settings);
  if (done >= of) return null;
  const wanted = own(fields.driver_info, RETRY_BACKOFF_KEY);
  const first = typeof wanted === 'number' ? wanted : settings.backoffSeconds;
  const seconds = Math.min(Math.max(first, settings.secondsMax), first * settings.factor ** done);
  return { number: done + 1, of, due: now + Math.ceil(seconds * 1000) };
}
