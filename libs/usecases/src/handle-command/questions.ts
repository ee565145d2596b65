import type { Command } from '@lib/contracts';
import { Refusal, interfaceField, interfaceTypes } from '@lib/domain';
import { machineOf } from '../machine';
import type { HandlerDeps } from './deps';

type Question = Extract<Command, { type: 'ValidateNode' | 'ReadBootDevice' | 'ListBootDevices' }>;

/** What only the node's interfaces can say; nothing is stored. */
export async function answer(question: Question, deps: HandlerDeps): Promise<Record<string, unknown>> {
  const { hardware, commits, box } = deps;
  const { stream } = await commits.streams.load(question.uuid, false);
  if (!stream.node) throw new Refusal('NODE_NOT_FOUND', `Node ${question.uuid} could not be found.`);
  const { fields } = stream.node;
  const machine = await machineOf(stream.node, box);
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
