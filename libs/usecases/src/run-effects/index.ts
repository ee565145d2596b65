export { EffectWorker } from './effect-worker';
export type { EffectWorkerDeps } from './effect-worker';
export type { EffectLimits } from './limits';
