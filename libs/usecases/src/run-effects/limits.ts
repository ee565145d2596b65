import { reservedStep } from '@lib/domain';
import type { EffectTask } from '@lib/domain';

/** How long each kind of effect may take; passing it is an outcome, so that no state waits on hardware for ever. */
export interface EffectLimits {
  readonly inspectMs: number;
  readonly peerMs: number;
  readonly workMs: number;
  readonly powerMs: number;
}

export function limitMs(task: EffectTask, limits: EffectLimits): number {
  switch (task.kind) {
    case 'inspect':
      return limits.inspectMs;
    case 'work':
      return limits.workMs + pauseMs(task);
    case 'process inspection data':
      return limits.workMs;
    case 'power':
      return task.timeoutSeconds === null ? limits.powerMs : task.timeoutSeconds * 1000;
    default:
      return limits.peerMs;
  }
}

/** A pause that was asked for is no delay. */
function pauseMs({ step }: Extract<EffectTask, { kind: 'work' }>): number {
  const reserved = step ? reservedStep(step) : null;
  return reserved?.does === 'wait' ? (reserved.seconds ?? 0) * 1000 : 0;
}
