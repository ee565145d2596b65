import { sameJson } from '../../json';
import { urlWithoutCredentials } from '../../secrets';
import type { Context, InspectInterfaceFacts } from '../commands';
import type { Effect, EffectOutcome, EffectValue, MachineSeen, StoredInventory } from '../effects';
import type { NodeEvent } from '../events';
import type { NodeFields } from '../fields';
import type { Node, NodeStream } from '../state';
import { afterCleanUp, cleanUpAfter } from './clean-up';
import type { EndingCause } from './clean-up';
import { agentKept } from './fast-track';
import { changedFields } from './update';

type Ended = Exclude<EffectOutcome, { result: 'cancelled' }>;

/** What the interface's start routine came back with (contract: inspection.md §3.1-3.2). */
export function decideInspected(
  effect: Effect,
  outcome: Ended,
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  const machine = outcome.result === 'failed' ? outcome.machine : outcome.value.machine;
  const fail = (error: string, inventory: StoredInventory | null = null): readonly NodeEvent[] => [
    inspectionFailed(
      { effect, cause: 'failed', error, history: true, machine, inventory },
      facts,
      node,
      stream,
      context,
    ),
  ];
  if (outcome.result === 'failed') return fail(outcome.reason);
  const { value } = outcome;
  if (value.failure !== undefined) return fail(value.failure, value.inventory);
  switch (value.returned) {
    case 'MANAGEABLE':
      return [
        ...foundOut(value, node, context),
        inspectionFound({ ...value, effect: effect.n }, facts, node, stream, context),
      ];
    case 'INSPECTWAIT':
      return [waiting(effect, value, false, facts, node, stream, context)];
    case 'INSPECTING':
      return context.policy.inspectingReturn === 'fail'
        ? fail('During inspection, the driver returned the unexpected state INSPECTING.')
        : [waiting(effect, value, true, facts, node, stream, context)];
    default:
      return fail(`During inspection, the driver returned the unexpected state ${String(value.returned)}.`);
  }
}

/** What was found out of a machine. The node holds still meanwhile: what was found out then is what it becomes. */
export function foundOut(
  { properties = {}, ruledFields = {}, keyId, traits }: EffectValue,
  { fields, traits: had }: Node,
  { now: at }: Context,
): readonly NodeEvent[] {
  const after: NodeFields = { ...fields, properties: { ...fields.properties, ...properties }, ...ruledFields };
  const changed = changedFields(fields, after);
  const key = keyId === undefined ? {} : { keyId };
  return [
    ...(Object.keys(changed).length > 0 ? [{ type: 'NodeUpdated', data: { at, changed, ...key } } as const] : []),
    ...(traits && !sameJson(traits, had) ? [{ type: 'NodeTraitsChanged', data: { at, traits } } as const] : []),
  ];
}

interface Found extends Pick<EffectValue, 'inventory' | 'warnings'> {
  /** The effect whose outcome it is; null: an inspector reported it. */
  readonly effect: number | null;
}

/** Data is in: `done`, after the clean-up that this ending needs (contract: inspection.md §4.4). */
export function inspectionFound(
  { effect, inventory = null, warnings = [] }: Found,
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent {
  const { now: at, host } = context;
  const attempt = node.inspection?.attempt ?? 0;
  const [next] = cleanUpAfter('finished', facts, node, stream, context);
  const odd = warnings.length > 0 ? { warnings } : {};
  return next
    ? { type: 'InspectionCleanUpStarted', data: { at, attempt, effect, next, inventory, host, ...odd } }
    : {
        type: 'InspectionFinished',
        data: {
          at,
          attempt,
          effect,
          inventory,
          cleanUp: afterCleanUp('done', facts, node, stream),
          ...odd,
          ...agentKept(node, context),
        },
      };
}

function waiting(
  effect: Effect,
  value: EffectValue,
  deprecatedReturn: boolean,
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent {
  const attempt = effect.attempt ?? 0;
  const { counters } = stream;
  const seconds = node.inspection?.timeoutSeconds ?? 0;
  const startedAt = node.inspection?.startedAt ?? context.now;
  const manageBoot = value.manageBoot ?? null;
  // Where we boot the ramdisk, the inspector was told before the machine was powered on (contract: inspection.md §4.2).
  const tellInspector = facts.startsIntrospection && manageBoot !== true;
  const task = { kind: 'start introspection', manageBoot: true } as const;
  return {
    type: 'InspectionWaiting',
    data: {
      at: context.now,
      attempt,
      effect: effect.n,
      deadline: seconds > 0 ? { n: counters.deadline + 1, due: startedAt + Math.ceil(seconds * 1000) } : null,
      manageBoot,
      lookupBmcAddresses: value.lookupBmcAddresses ?? [],
      next: tellInspector ? { n: counters.effect + 1, attempt, task } : null,
      deprecatedReturn,
      ...(value.machine ? { machine: value.machine } : {}),
      ...(value.callbackUrl === undefined ? {} : { callbackUrl: urlWithoutCredentials(value.callbackUrl) }),
    },
  };
}

export function inspectionFailed(
  what: {
    readonly effect: Effect;
    readonly cause: EndingCause;
    readonly error: string;
    readonly history: boolean;
    readonly machine?: MachineSeen;
    /** Data that is kept although the inspection has failed. */
    readonly inventory?: StoredInventory | null;
  },
  facts: InspectInterfaceFacts,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent {
  return {
    type: 'InspectionFailed',
    data: {
      at: context.now,
      attempt: node.inspection?.attempt ?? 0,
      effect: what.effect.n,
      error: what.error,
      history: what.history,
      cleanUp: cleanUpAfter(what.cause, facts, node, stream, context),
      ...(what.machine ? { machine: what.machine } : {}),
      ...(what.inventory ? { inventory: what.inventory } : {}),
    },
  };
}
