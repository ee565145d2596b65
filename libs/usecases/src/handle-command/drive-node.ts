import type { Command } from '@lib/contracts';
import { Refusal, decide, inspectFacts, isPowerTarget, verbToTrigger } from '@lib/domain';
import type { Node, NodeCommand } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { Committed } from '../node-commits';
import { bootingMachineOf, machineOf } from '../machine';
import type { HandlerDeps } from './deps';

type Driving = Extract<
  Command,
  { type: 'Provision' | 'ChangePower' | 'SetBootDevice' | 'SetMaintenance' | 'ClearMaintenance' }
>;

type Provision = Extract<NodeCommand, { type: 'Provision' }>;

/**
 * Verbs whose interfaces must validate before anything changes (contract: inspection.md §2). Only these open secrets: a node
 * whose key is lost can still be driven by the others. Who boots the ramdisk is decided here, for the start to be written
 * down with it.
 */
async function checked(
  target: string,
  node: Node,
  deps: HandlerDeps,
): Promise<Pick<Provision, 'problem' | 'managedBoot'>> {
  if (verbToTrigger(target) !== 'inspect') return { problem: null };
  const { power_interface: power, inspect_interface, boot_interface: managedBoot } = node.fields;
  const machine = await bootingMachineOf(node, deps);
  const inspect = deps.hardware.inspect(inspect_interface);
  const problem = deps.hardware.power(power).validate(machine) ?? inspect.validate(machine);
  return problem === null && inspect.managesBoot?.(machine) ? { problem, managedBoot } : { problem };
}

async function nodeCommand(command: Driving, node: Node, deps: HandlerDeps): Promise<NodeCommand> {
  const { hardware, box } = deps;
  switch (command.type) {
    case 'SetMaintenance':
      return { type: 'SetMaintenance', reason: command.reason };
    case 'ClearMaintenance':
      return { type: 'ClearMaintenance' };
    case 'Provision': {
      const { target } = command;
      return { type: 'Provision', target, inspect: inspectFactsOf(node, deps), ...(await checked(target, node, deps)) };
    }
    case 'ChangePower': {
      const { target, timeoutSeconds } = command;
      if (!isPowerTarget(target))
        throw new Refusal('INVALID_STATE', `The power state "${target}" can not be asked for.`);
      const problem = hardware.power(node.fields.power_interface).validate(await machineOf(node, box));
      return { type: 'ChangePower', target, timeoutSeconds, problem };
    }
    case 'SetBootDevice': {
      const { device, persistent } = command;
      const management = hardware.management(node.fields.management_interface);
      const machine = await machineOf(node, box);
      const problem = management.validate(machine) ?? management.checkBootDevice(machine, device, persistent);
      return { type: 'SetBootDevice', device, persistent, problem };
    }
  }
}

export const inspectFactsOf = (node: Node | null, { hardware }: Pick<HandlerDeps, 'hardware'>) =>
  node ? hardware.inspect(node.fields.inspect_interface).facts : inspectFacts('');

export function driveNode(command: Driving, meta: EventMeta, deps: HandlerDeps): Promise<Committed> {
  const { commits, clock, options } = deps;
  return commits.commit(command.uuid, meta, async ({ stream }) => {
    if (!stream.node) throw new Refusal('NODE_NOT_FOUND', `Node ${command.uuid} could not be found.`);
    const wanted = await nodeCommand(command, stream.node, deps);
    const context = { now: clock.now(), host: options.host, policy: options.policy };
    return { events: decide(wanted, stream, context) };
  });
}
