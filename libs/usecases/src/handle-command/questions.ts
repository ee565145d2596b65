import type { Question } from '@lib/contracts';
import { Refusal, interfaceField, interfaceTypes, questionKinds } from '@lib/domain';
import type { Node, NodeFields } from '@lib/domain';
import type { Machine } from '@lib/ports';
import { bootingMachineOf, machineOf } from '../machine';
import type { HandlerDeps } from './deps';

/** What only the node's interfaces can say; nothing is stored. */
export async function answer(question: Question, deps: HandlerDeps): Promise<Record<string, unknown>> {
  const { hardware } = deps;
  if (question.type === 'AskMachine') return askMachine(question, deps);
  const { fields, machine } = await newestMachine(question.uuid, deps, (node) => bootingMachineOf(node, deps));
  if (question.type === 'ValidateNode') {
    const interfaces = Object.fromEntries(interfaceTypes.map((kind) => [kind, fields[interfaceField(kind)]]));
    return hardware.validateAll(machine, interfaces);
  }
  const management = hardware.management(fields.management_interface);
  const problem = management.validate(machine);
  if (problem) throw new Refusal('UNSUPPORTED_EXTENSION', problem);
  return question.type === 'ReadBootDevice'
    ? { ...(await management.readBootDevice(machine)) }
    : { supported_boot_devices: management.bootDevices(machine) };
}

async function askMachine(
  { uuid, question }: Extract<Question, { type: 'AskMachine' }>,
  deps: HandlerDeps,
): Promise<Record<string, unknown>> {
  const { fields, machine } = await newestMachine(uuid, deps, (node) => machineOf(node, deps.box));
  const kind = questionKinds[question.ask];
  const acting = deps.hardware.acting(kind, fields[interfaceField(kind)]);
  if (question.ask === 'vendor methods') return { answer: acting.vendorMethods };
  const told = await acting.ask(machine, question);
  if ('unsupported' in told) throw new Refusal('UNSUPPORTED_EXTENSION', told.unsupported);
  if ('problem' in told) throw new Refusal('INVALID_PARAMETER', told.problem);
  return { answer: told.answer };
}

/** A node that is removed between the two reads takes the key of its secrets along: it is looked at once more. */
async function newestMachine(
  uuid: string,
  { commits }: HandlerDeps,
  seen: (node: Node) => Promise<Machine>,
): Promise<{ fields: NodeFields; machine: Machine }> {
  for (;;) {
    const { stream, version } = await commits.streams.load(uuid, false);
    if (!stream.node) throw new Refusal('NODE_NOT_FOUND', `Node ${uuid} could not be found.`);
    try {
      return { fields: stream.node.fields, machine: await seen(stream.node) };
    } catch (error) {
      if ((await commits.streams.load(uuid, false)).version === version) throw error;
    }
  }
}
