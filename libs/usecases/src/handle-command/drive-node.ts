import type { Command } from '@lib/contracts';
import { Refusal, decide, inspectFacts, interfaceField, isPowerTarget, verbToTrigger, workFor } from '@lib/domain';
import type { Node, NodeCommand, Work } from '@lib/domain';
import type { EventMeta, Machine } from '@lib/ports';
import type { Committed } from '../node-commits';
import { bootingMachineOf, machineOf } from '../machine';
import { checkRoom } from './concurrency';
import type { HandlerDeps } from './deps';
import { FreshKey } from './fresh-key';
import { sealFields } from './seal';
import { workSteps } from './work-steps';

type Driving = Extract<
  Command,
  { type: 'Provision' | 'ChangePower' | 'SetBootDevice' | 'SetMaintenance' | 'ClearMaintenance' }
>;

type Provision = Extract<NodeCommand, { type: 'Provision' }>;
type Checked = Pick<Provision, 'problem' | 'unsupported' | 'managedBoot'>;

/**
 * Verbs whose interfaces must validate before anything changes (contract: inspection.md §2). Only these open secrets: a node
 * whose key is lost can still be driven by the others. Who boots the ramdisk is decided here, for the start to be written
 * down with it.
 */
async function checked(target: string, node: Node, deps: HandlerDeps): Promise<Checked> {
  const trigger = verbToTrigger(target);
  const work = workFor(node.provisionState, trigger);
  if (work) return checkedWork(work, node, deps);
  return trigger === 'inspect' ? inspectionChecked(node, deps) : { problem: null };
}

/** What keeps an inspection from starting, and who would boot its ramdisk. */
export async function inspectionChecked(
  node: Node,
  deps: Pick<HandlerDeps, 'box' | 'hardware' | 'readModel'>,
): Promise<Pick<Provision, 'problem' | 'managedBoot'>> {
  const { power_interface: power, inspect_interface, boot_interface: managedBoot } = node.fields;
  const machine = await bootingMachineOf(node, deps);
  const inspect = deps.hardware.inspect(inspect_interface);
  const problem = deps.hardware.power(power).validate(machine) ?? inspect.validate(machine);
  return problem === null && inspect.managesBoot?.(machine) ? { problem, managedBoot } : { problem };
}

/** Whether the interface that would do the work offers it, and what keeps the interfaces that it needs from it. */
async function checkedWork({ work, by, validated }: Work, node: Node, deps: HandlerDeps): Promise<Checked> {
  const { hardware, box } = deps;
  if (by !== 'power') {
    const name = node.fields[interfaceField(by)];
    const isOffered = hardware.lifecycle(by, name).works.includes(work);
    if (!isOffered) return { problem: null, unsupported: `Driver ${name} does not support ${work}.` };
  }
  if (validated.length === 0) return { problem: null };
  const machine = await machineOf(node, box);
  const problems = validated.map((kind) => problemOf(kind, node, machine, deps));
  return { problem: problems.find((problem) => problem !== null) ?? null };
}

const problemOf = (kind: Work['by'], { fields }: Node, machine: Machine, { hardware }: HandlerDeps): string | null =>
  kind === 'power'
    ? hardware.power(fields.power_interface).validate(machine)
    : hardware.lifecycle(kind, fields[interfaceField(kind)]).validate(machine);

type Came = Pick<Provision, 'changed' | 'steps' | 'ramdisk'>;

const keptArguments = ['configdrive', 'rescue_password'];

/** What came with a verb (contract: node-api.md §10), in the clear: what is kept on the node, and the steps to take. */
async function cameWith(
  command: Extract<Driving, { type: 'Provision' }>,
  node: Node,
  deps: HandlerDeps,
): Promise<Came> {
  const { args, target } = command;
  const kept = Object.entries(args).filter(([name, value]) => keptArguments.includes(name) && isGiven(value));
  const work = workFor(node.provisionState, verbToTrigger(target));
  const info = { ...node.fields.instance_info, ...Object.fromEntries(kept) };
  return {
    ...(kept.length > 0 ? { changed: { instance_info: info } } : {}),
    ...(work ? await workSteps(work, args, node, deps) : {}),
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

async function nodeCommand(command: Driving, node: Node, deps: HandlerDeps): Promise<NodeCommand> {
  const { hardware, box } = deps;
  switch (command.type) {
    case 'SetMaintenance':
      return { type: 'SetMaintenance', reason: command.reason };
    case 'ClearMaintenance':
      return { type: 'ClearMaintenance' };
    case 'Provision': {
      const { target } = command;
      const reason = command.reason === undefined ? {} : { reason: command.reason };
      // A verb asks for what the node is set to now, also where the open attempt began with another interface (recorded so).
      const inspect = hardware.inspect(node.fields.inspect_interface).facts;
      return { type: 'Provision', target, inspect, ...(await checked(target, node, deps)), ...reason };
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

/** Of the interface that the open attempt began with, else of the node's own. */
export const inspectFactsOf = (node: Node | null, { hardware }: Pick<HandlerDeps, 'hardware'>) =>
  node ? hardware.inspect(node.inspection?.interface ?? node.fields.inspect_interface).facts : inspectFacts('');

/** The command with what came along sealed by the node's key; one is made where it has none yet. */
async function withArguments(wanted: NodeCommand, command: Driving, node: Node, key: FreshKey, deps: HandlerDeps) {
  if (wanted.type !== 'Provision' || command.type !== 'Provision') return wanted;
  const { changed, steps, ...rest } = await cameWith(command, node, deps);
  const had = node.keyId ?? key.made;
  const kept = await sealFields(changed ?? {}, had, deps.box);
  const taken = await sealFields(steps ? { steps } : {}, kept.keyId, deps.box, ['steps']);
  const { keyId } = taken;
  if (node.keyId === null && keyId !== null) key.made = keyId;
  return {
    ...wanted,
    ...rest,
    ...(changed ? { changed: kept.fields } : {}),
    ...taken.fields,
    ...(node.keyId === null && keyId !== null ? { keyId } : {}),
  };
}

export function driveNode(command: Driving, meta: EventMeta, deps: HandlerDeps): Promise<Committed> {
  const { commits, clock, options, box } = deps;
  const key = new FreshKey(box);
  return key.around(() =>
    commits.commit(command.uuid, meta, async ({ stream }) => {
      if (!stream.node) throw new Refusal('NODE_NOT_FOUND', `Node ${command.uuid} could not be found.`);
      const plain = await nodeCommand(command, stream.node, deps);
      const context = { now: clock.now(), host: options.host, policy: options.policy };
      // The rules speak before a key is made for nothing.
      await checkRoom(decide(plain, stream, context), stream.node, deps);
      const wanted = await withArguments(plain, command, stream.node, key, deps);
      return { events: decide(wanted, stream, context) };
    }),
  );
}
