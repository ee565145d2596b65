import type { Command } from '@lib/contracts';
import { Refusal, decide, inspectFacts, isPowerTarget, verbToTrigger } from '@lib/domain';
import type { Node, NodeCommand } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { Committed } from '../node-commits';
import { machineOf } from '../machine';
import type { HandlerDeps } from './deps';

type Driving = Extract<
  Command,
  { type: 'Provision' | 'ChangePower' | 'SetBootDevice' | 'SetMaintenance' | 'ClearMaintenance' }
>;

/**
 * Verbs whose interfaces must validate before anything changes (contract: inspection.md §2). Only these open secrets: a node
 * whose key is lost can still be driven by the others.
 */
async function provisionProblem(target: string, node: Node, { hardware, box }: HandlerDeps): Promise<string | null> {
  if (verbToTrigger(target) !== 'inspect') return null;
  const { power_interface: power, inspect_interface: inspect } = node.fields;
  const machine = await machineOf(node, box);
  return hardware.power(power).validate(machine) ?? hardware.inspect(inspect).validate(machine);
}

async function nodeCommand(command: Driving, node: Node, deps: HandlerDeps): Promise<NodeCommand> {
  const { hardware, box } = deps;
  switch (command.type) {
    case 'SetMaintenance':
      return { type: 'SetMaintenance', reason: command.reason };
    case 'ClearMaintenance':
      return { type: 'ClearMaintenance' };
    case 'Provision': {
      const problem = await provisionProblem(command.target, node, deps);
      return { type: 'Provision', target: command.target, inspect: inspectFactsOf(node, deps), problem };
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
