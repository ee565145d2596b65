import type { Settings } from '@lib/contracts';
import type { Liveness } from '@lib/ports';
import { PowerSync, hostOf } from '@lib/usecases';
import type { Placed, PowerSyncDeps } from '@lib/usecases';

/** What the conductor was started with, and what it made of that. */
interface Given extends Pick<PowerSyncDeps, 'readModel' | 'hardware' | 'box' | 'clock' | 'chance' | 'logger'> {
  readonly settings: Settings;
  readonly liveness: Liveness;
}
type Made = Pick<PowerSyncDeps, 'commits' | 'options'>;

/** The look at the power of machines, as the settings want it. */
export function powerSyncOf(deps: Given, parts: Made): PowerSync {
  const { readModel, hardware, box, clock, chance, logger, settings } = deps;
  const { conductor } = settings;
  return new PowerSync({
    ...parts,
    readModel,
    hardware,
    box,
    clock,
    chance,
    logger,
    power: {
      periodMs: conductor.sync_power_state_interval * 1000,
      recoveryPeriodMs: conductor.power_failure_recovery_interval * 1000,
      workers: conductor.sync_power_state_workers,
      retriesMax: conductor.power_state_sync_max_retries,
      putsRight: conductor.force_power_state_during_sync,
      answerMs: conductor.power_state_change_timeout * 1000,
    },
    share: () => shareOf(deps, parts.options.host),
  });
}

/** Nodes are shared out among the conductors that live, as the api tells where each one is. */
async function shareOf({ settings, liveness, clock }: Given, host: string): Promise<(node: Placed) => boolean> {
  const oldest = clock.now() - settings.conductor.heartbeat_timeout * 1000;
  const living = (await liveness.conductors()).filter(({ online, updatedAt }) => online && updatedAt >= oldest);
  return (node) => hostOf(node, living) === host;
}
