import { Refusal } from '../../refusal';
import type { Context, NodeCommand, Policy } from '../commands';
import type { Effect, EffectTask, WorkName, WorkStep } from '../effects';
import type { NodeEvent } from '../events';
import type { NodeFields } from '../fields';
import type { Node, NodeStream } from '../state';
import type { Work } from '../works';

type Provision = Extract<NodeCommand, { type: 'Provision' }>;
export type WorkTask = Extract<EffectTask, { kind: 'work' }>;

/** A verb that starts work, once the machine and the reservation allow it (contract: node-api.md §10 step 17). */
export function startWork(
  work: Work,
  trigger: string,
  command: Provision,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent[] {
  checkNode(work, trigger, command, node, context.policy);
  if (command.unsupported !== undefined) throw new Refusal('UNSUPPORTED_EXTENSION', command.unsupported);
  if (command.problem) throw new Refusal(work.ifInvalid, `${work.failure}: ${command.problem}`);
  const { keyId, ramdisk } = command;
  const changed = { ...command.changed, ...leased(work, node, command.changed, context.policy) };
  const steps = command.steps?.length ? command.steps : undefined;
  const started = workStarted(work, node, stream.counters.effect + 1, context, { steps, ramdisk });
  return [
    {
      ...started,
      data: {
        ...started.data,
        ...(Object.keys(changed).length > 0 ? { changed } : {}),
        ...(keyId === undefined ? {} : { keyId }),
      },
    },
  ];
}

/** A deployment makes the project of the instance the node's lessee (contract: config.md, automatic_lessee_source); one that is set stays. */
function leased(
  { work }: Work,
  { fields }: Node,
  changed: Provision['changed'],
  { leasesToInstance = false }: Policy,
): Partial<NodeFields> {
  const { project_id: project } = changed?.instance_info ?? fields.instance_info;
  const isWanted = work === 'deploy' && leasesToInstance && fields.lessee === null;
  return isWanted && typeof project === 'string' && project !== '' ? { lessee: project } : {};
}

/** Work begins with its first step, as the effect of this number. */
export function workStarted(
  work: Work,
  { fields }: Node,
  n: number,
  { now: at, host, policy }: Context,
  { steps, ramdisk }: Pick<Provision, 'steps' | 'ramdisk'> = {},
): Extract<NodeEvent, { type: 'WorkStarted' }> {
  const without = ramdisk === false ? { ramdisk } : {};
  const { task, ...taken } = firstPiece(work.work, fields, steps, policy);
  const effect: Effect = { n, attempt: null, task: { ...task, ...without } };
  const target = work.target === undefined ? {} : { target: work.target };
  const given = { ...target, ...taken, ...without };
  return { type: 'WorkStarted', data: { at, work: work.work, state: work.running, effect, host, ...given } };
}

/** What work begins with, and all its steps; none where there is nothing to do. */
export function firstPiece(
  work: WorkName,
  fields: NodeFields,
  steps: Provision['steps'],
  policy: Policy,
): { readonly task: WorkTask; readonly steps?: readonly WorkStep[]; readonly history?: true } {
  const task = taskOf(work, fields, policy);
  if (task.automated === false || !steps?.length) return { task };
  return { task: { ...task, ...stepIn(steps, 0) }, steps, ...recorded(policy) };
}

/** Whether the history tells of steps that begin or end well (contract: node-api.md §18). */
export const recorded = ({ recordStepFlows = false }: Policy): { readonly history?: true } =>
  recordStepFlows ? { history: true } : {};

/** The step of an index, as a task has it. */
export function stepIn(steps: Provision['steps'], index: number): Pick<WorkTask, 'step'> {
  const step = steps?.[index];
  return step ? { step } : {};
}

/** Another piece of the same work. */
export const pieceOf = (
  { kind, work, ramdisk }: WorkTask,
  piece: Pick<WorkTask, 'step' | 'resumed' | 'aborted'>,
): WorkTask => ({ kind, work, ...(ramdisk === false ? { ramdisk } : {}), ...piece });

function checkNode(work: Work, trigger: string, { target }: Provision, { uuid, fields }: Node, policy: Policy): void {
  if (fields.protected && work.protectedFrom.some((one) => one === trigger)) {
    throw new Refusal('NODE_PROTECTED', `Node ${uuid} is protected and the ${target} operation cannot be performed.`);
  }
  if (trigger === 'provide' && fields.retired) {
    throw new Refusal('INVALID_PARAMETER', `Node ${uuid} is retired and cannot be provided.`);
  }
  const allowed =
    work.inMaintenance === 'allowed' ||
    (work.inMaintenance === 'as the settings say' && policy.allowProvisioningInMaintenance);
  if (fields.maintenance && !allowed) {
    const text = `The ${target} operation cannot be performed on node ${uuid} in maintenance.`;
    throw new Refusal('IN_MAINTENANCE', text);
  }
}

/** The node's own word on automated cleaning goes before that of the settings (contract: config.md, automated_clean). */
const taskOf = (work: WorkName, fields: NodeFields, policy: Policy): WorkTask =>
  work === 'clean' && !(fields.automated_clean ?? policy.automatedClean)
    ? { kind: 'work', work, automated: false }
    : { kind: 'work', work };
