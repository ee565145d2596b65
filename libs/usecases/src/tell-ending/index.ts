import type { EffectTask } from '@lib/domain';
import type { Call, HardwareRegistry, Machine } from '@lib/ports';

type TellEnding = Extract<EffectTask, { kind: 'tell ending' }>;

/** Attempt numbers of a node never restart, so this names one attempt for ever. */
export const endingKey = (uuid: string, attempt: number): string => `${uuid}/${attempt}`;

/** Rejects when the interface is not there any more, as without the extension that brought it. */
export async function tellEnding(
  { interface: name, outcome }: Pick<TellEnding, 'interface' | 'outcome'>,
  attempt: number,
  machine: Machine,
  hardware: HardwareRegistry,
  call: Call,
): Promise<void> {
  const inspect = hardware.inspect(name);
  if (!inspect.leftInspectWait) throw new Error(`inspect interface ${name} does not take it`);
  const ending = { outcome, attempt, key: endingKey(machine.uuid, attempt) };
  await inspect.leftInspectWait({ ...machine, attempt }, ending, call);
}
