import type { Act, Effect, WorkStep } from '@lib/domain';
import type { SecretBox } from '@lib/ports';
import { opened } from '../machine';

/** Arguments of steps and acts may hold secrets, and are opened for this run only. */
export async function withSecretsOpened(effect: Effect, box: SecretBox): Promise<Effect> {
  const { task } = effect;
  if (task.kind === 'manage') return { ...effect, task: { ...task, act: (await opened(task.act, box)) as Act } };
  if (task.kind !== 'work' || !task.step) return effect;
  return { ...effect, task: { ...task, step: (await opened(task.step, box)) as WorkStep } };
}
