import type { EffectTask } from '@lib/domain';
import { limitMs } from './limits';

const limits = { inspectMs: 1, peerMs: 20_000, workMs: 2, powerMs: 3 };
const payload = { inventory: 'a', pluginData: 'b' };

it.each<[EffectTask, number]>([
  [{ kind: 'abort inspection' }, 20_000],
  [{ kind: 'start introspection', manageBoot: true }, 40_000],
  [{ kind: 'forward inspection data', payload }, 40_000],
])('%j may take as long as its caller waits, or as it takes to learn what became of a call (%d ms)', (task, ms) => {
  expect(limitMs(task, limits)).toBe(ms);
});
