import { deploySteps, interfaceField, works } from '@lib/domain';
import type { Node, WorkStep } from '@lib/domain';
import type { HardwareRegistry } from '@lib/ports';

/** Steps of the work that follows the work of an effect without a request, as who carries it out brings them. */
export function nextStepsOf(
  effect: number,
  node: Node | null,
  hardware: HardwareRegistry,
): { readonly nextSteps?: readonly WorkStep[] } {
  const task = node?.effects.find(({ n }) => n === effect)?.task;
  const next = task?.kind === 'work' ? works[task.work].next : undefined;
  if (!node || next === undefined) return {};
  const { by } = works[next];
  if (by === 'power') return {};
  return { nextSteps: deploySteps(hardware.lifecycle(by, node.fields[interfaceField(by)]).ownSteps(next)) };
}
