import type { PowerState, ReportedPowerState } from '@lib/domain';
import type { Clock } from '@lib/ports';
import { pause } from '../bounded-call';
import type { BmcConnection, Turn } from './connection';
import { BmcRefused, BmcUnreachable, counted, HardwareError } from './hardware-error';
import type { RedfishOptions } from './options';
import { powerStateOf, resetAction } from './system';
import type { SystemSeen } from './system';
import { allowableIn } from './wire';

export type ResetType = 'On' | 'ForceOff' | 'ForceRestart' | 'GracefulRestart' | 'GracefulShutdown' | 'Nmi';

const FIRST_POLL_MS = 1000;
const POLL_MS_MAX = 8000;
/** How often a BMC that refused is looked at before that counts: the state may be reached a moment later. */
const LOOKS_AFTER_REFUSAL = 3;
/** A BMC that is in the middle of something else takes a power on later (contract: redfish.md §3). */
const CONFLICT_TRIES = 6;
const CONFLICT_PAUSE_MS = 10_000;

export interface ResetDeps {
  readonly bmc: BmcConnection;
  readonly turn: Turn;
  readonly options: RedfishOptions;
  readonly clock: Clock;
}

/** Asks for a reset. `wanted`: the state that it leads to, which counts even where the BMC refuses. */
export async function askForReset(
  type: ResetType,
  wanted: PowerState | null,
  system: SystemSeen,
  deps: ResetDeps,
): Promise<void> {
  const { bmc, turn, options, clock } = deps;
  const { target, action } = resetAction(system);
  const taken = allowableIn(action, 'ResetType');
  if (taken !== null && !taken.includes(type)) {
    throw new HardwareError(`The system ${system.path} takes no ${type} (it takes ${taken.join(', ')}).`);
  }
  let conflicts = 0;
  for (let tries = 1; ; tries += 1) {
    try {
      return await bmc.post(target, { ResetType: type }, turn);
    } catch (error) {
      if (turn.signal.aborted || !(error instanceof HardwareError)) throw error;
      if (wanted !== null && (await reachedAnyway(wanted, error, system, deps))) return;
      if (type === 'On' && isConflict(error) && conflicts < CONFLICT_TRIES) {
        conflicts += 1;
        await pause(CONFLICT_PAUSE_MS, clock, turn.signal);
        continue;
      }
      if (!mayPass(error) || tries - conflicts >= options.connectionAttempts) throw counted(error, tries);
      await pause(options.connectionRetryMs, clock, turn.signal);
    }
  }
}

const mayPass = (error: HardwareError): boolean =>
  error instanceof BmcUnreachable || (error instanceof BmcRefused && (error.isServerSide || error.isAccess));

const isConflict = (error: unknown): boolean =>
  error instanceof BmcRefused &&
  error.status === 409 &&
  error.messageIds.some((id) => id.endsWith('ActionParameterValueConflict'));

/** Whether the machine has the state that a failed request was for (contract: redfish.md §3, error tolerance). */
async function reachedAnyway(
  wanted: PowerState,
  error: HardwareError,
  system: SystemSeen,
  deps: ResetDeps,
): Promise<boolean> {
  const isRefusal = error instanceof BmcRefused && (error.status === 400 || error.status === 409);
  const looks = isRefusal ? LOOKS_AFTER_REFUSAL : 1;
  for (let look = 0; look < looks; look += 1) {
    if (look > 0) await pause(FIRST_POLL_MS, deps.clock, deps.turn.signal);
    const state = await stateNow(system, deps);
    if (state === wanted) return true;
    if (state === null && isRefusal && saysSo(wanted, error)) return true;
  }
  return false;
}

const saysSo = (wanted: PowerState, { said }: BmcRefused): boolean =>
  new RegExp(`already\\s+(in\\s+the\\s+)?(powered\\s+)?${wanted === 'power on' ? 'on' : 'off'}`, 'i').test(said);

/** One look, whose own failure tells nothing. */
async function stateNow({ path }: SystemSeen, { bmc, turn }: ResetDeps): Promise<ReportedPowerState> {
  try {
    return powerStateOf({ path, ...(await bmc.look(path, turn)) });
  } catch (error) {
    if (turn.signal.aborted || !(error instanceof HardwareError)) throw error;
    return null;
  }
}

/** Resolves when the state is seen; looks less and less often. */
export async function awaitState(
  wanted: PowerState,
  timeoutMs: number,
  { path }: SystemSeen,
  { bmc, turn, clock }: ResetDeps,
): Promise<SystemSeen> {
  const until = clock.now() + timeoutMs;
  for (let delay = FIRST_POLL_MS; ; delay = Math.min(delay * 2, POLL_MS_MAX)) {
    await pause(Math.max(0, Math.min(delay, until - clock.now())), clock, turn.signal);
    let last: string;
    try {
      const system = { path, ...(await bmc.look(path, turn)) };
      if (powerStateOf(system) === wanted) return system;
      last = `it reports ${JSON.stringify(system.document['PowerState'] ?? null)}`;
    } catch (error) {
      // Many BMCs are out of reach for a moment while the power changes; what matters is the time that it takes in all.
      if (turn.signal.aborted || !(error instanceof HardwareError)) throw error;
      last = error.message;
    }
    if (clock.now() >= until) {
      throw new HardwareError(`The machine was not at "${wanted}" within ${timeoutMs / 1000} seconds: ${last}`);
    }
  }
}
