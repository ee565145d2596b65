import { reservedStep } from '@lib/domain';
import type { EffectTask } from '@lib/domain';

/** How long each kind of effect may take; passing it is an outcome, so that no state waits on hardware for ever. */
export interface EffectLimits {
  readonly inspectMs: number;
  readonly peerMs: number;
  readonly workMs: number;
  /** Until a change of power is seen. */
  readonly powerMs: number;
  /** What a power change may take beside that: a restart is two changes, and a BMC may be asked again. None unless given. */
  readonly powerTroubleMs?: number;
}

export function limitMs(task: EffectTask, limits: EffectLimits): number {
  switch (task.kind) {
    case 'inspect':
      return limits.inspectMs;
    case 'work':
      return limits.workMs + pauseMs(task);
    case 'process inspection data':
      return limits.workMs;
    case 'start introspection':
    case 'forward inspection data':
      // Nobody is kept waiting. Where an answer is lost it is asked for what became of the call, and that word is to come first.
      return limits.peerMs * 2;
    case 'power':
      return powerMs(task, limits);
    default:
      return limits.peerMs;
  }
}

/** A last resort: interfaces watch the time of a change themselves, and know better what to say of it. */
function powerMs({ target, timeoutSeconds }: Extract<EffectTask, { kind: 'power' }>, limits: EffectLimits): number {
  const change = timeoutSeconds === null ? limits.powerMs : timeoutSeconds * 1000;
  const isTwo = target === 'rebooting' || target === 'soft rebooting';
  return change * (isTwo && limits.powerTroubleMs ? 2 : 1) + (limits.powerTroubleMs ?? 0);
}

/** A pause that was asked for is no delay. */
function pauseMs({ step }: Extract<EffectTask, { kind: 'work' }>): number {
  const reserved = step ? reservedStep(step) : null;
  return reserved?.does === 'wait' ? (reserved.seconds ?? 0) * 1000 : 0;
}
