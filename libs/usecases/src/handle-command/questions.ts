import type { Command } from '@lib/contracts';
import { Refusal, interfaceField, interfaceTypes } from '@lib/domain';
import type { NodeFields } from '@lib/domain';
import type { Machine } from '@lib/ports';
import { bootingMachineOf } from '../machine';
import type { HandlerDeps } from './deps';

type Question = Extract<Command, { type: 'ValidateNode' | 'ReadBootDevice' | 'ListBootDevices' }>;

/** What only the node's interfaces can say; nothing is stored. */
export async function answer(question: Question, deps: HandlerDeps): Promise<Record<string, unknown>> {
  const { hardware } = deps;
  const { fields, machine } = await newestMachine(question.uuid, deps);
  if (question.type === 'ValidateNode') {
    const interfaces = Object.fromEntries(interfaceTypes.map((kind) => [kind, fields[interfaceField(kind)]]));
    return hardware.validateAll(machine, interfaces);
  }
  const management = hardware.management(fields.management_interface);
  const problem = management.validate(machine);
  if (problem) throw new Refusal('UNSUPPORTED_EXTENSION', problem);
  return question.type === 'ReadBootDevice'
    ? { ...management.readBootDevice(machine) }
    : { supported_boot_devices: management.bootDevices(machine) };
}

/** A node that is removed between the two reads takes the key of its secrets along: it is looked at once more. */
async function newestMachine(uuid: string, deps: HandlerDeps): Promise<{ fields: NodeFields; machine: Machine }> {
  const { commits } = deps;
  for (;;) {
    const { stream, version } = await commits.streams.load(uuid, false);
    if (!stream.node) throw new Refusal('NODE_NOT_FOUND', `Node ${uuid} could not be found.`);
    try {
      return { fields: stream.node.fields, machine: await bootingMachineOf(stream.node, deps) };
    } catch (error) {
      if ((await commits.streams.load(uuid, false)).version === version) throw error;
    }
  }
}
