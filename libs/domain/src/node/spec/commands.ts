import type { DeadlineChange, EffectValue, InspectInterfaceFacts, NodeCommand, NodeFields, StoredInventory } from '..';
import { actRules } from '../../management';
import type { Act } from '../../management';
import type { PowerTarget } from '../../states';
import { UUID, someFields } from './a-node';

/** Inspect interfaces by what they can do, as the contract tells of the ones that ship (inspection.md §3.3, §4.4). */
export const inspector: InspectInterfaceFacts = {
  name: 'inspector',
  abort: true,
  powerOff: 'on timeout or managed boot',
  startsIntrospection: true,
  takesData: false,
};
export const agent: InspectInterfaceFacts = {
  name: 'agent',
  abort: true,
  powerOff: 'always',
  startsIntrospection: false,
  takesData: true,
};
export const fake: InspectInterfaceFacts = {
  name: 'fake',
  abort: false,
  powerOff: 'never',
  startsIntrospection: false,
  takesData: false,
};

export const enroll = (fields: Partial<NodeFields> = {}, state: 'enroll' | 'available' = 'enroll'): NodeCommand => ({
  type: 'Enroll',
  uuid: UUID,
  fields: someFields({ inspect_interface: 'inspector', ...fields }),
  state,
  keyId: 'key-1',
});

export const provision = (
  target: string,
  inspect = inspector,
  problem: string | null = null,
): Extract<NodeCommand, { type: 'Provision' }> => ({
  type: 'Provision',
  target,
  inspect,
  problem,
});

/** `inspect` of a node whose ramdisk the named boot interface will boot. */
export const inspectManaged = (managedBoot = 'ipxe', inspect = inspector): NodeCommand => ({
  type: 'Provision',
  target: 'inspect',
  inspect,
  problem: null,
  managedBoot,
});

export const done = (effect: number, value: EffectValue = {}, inspect = inspector): NodeCommand => ({
  type: 'EndEffect',
  effect,
  outcome: { result: 'done', value },
  inspect,
});

export const returned = (effect: number, word: string | null, value: EffectValue = {}, inspect = inspector) =>
  done(effect, { returned: word, ...value }, inspect);

export const failed = (effect: number, reason: string, inspect = inspector): NodeCommand => ({
  type: 'EndEffect',
  effect,
  outcome: { result: 'failed', reason },
  inspect,
});

export const cancelled = (effect: number, inspect = inspector): NodeCommand => ({
  type: 'EndEffect',
  effect,
  outcome: { result: 'cancelled' },
  inspect,
});

export const elapse = (n: number, attempt: number, inspect = inspector): NodeCommand & { type: 'Elapse' } => ({
  type: 'Elapse',
  n,
  attempt,
  inspect,
});

export const report = (
  attempt: number,
  startedAt: number,
  rest: { error?: string | null; inventory?: StoredInventory | null; inspect?: InspectInterfaceFacts } = {},
): NodeCommand => ({
  type: 'ReportIntrospection',
  attempt,
  startedAt,
  error: rest.error ?? null,
  inventory: rest.inventory ?? null,
  inspect: rest.inspect ?? inspector,
});

export const lookUp = (tokenDigest: string | null = null, inAnyState = false): NodeCommand => ({
  type: 'LookUp',
  tokenDigest,
  inAnyState,
});

export const heartbeat = (rest: Partial<Extract<NodeCommand, { type: 'Heartbeat' }>> = {}): NodeCommand => ({
  type: 'Heartbeat',
  callbackUrl: 'https://192.0.2.9:9999',
  tokenDigest: 'digest-1',
  agentVersion: '9.14.0',
  agentStatus: null,
  agentStatusMessage: null,
  agentVerifyCa: null,
  requireTls: true,
  ...rest,
});

export const payload: StoredInventory = { inventory: 'sha256:in', pluginData: 'sha256:beside' };

export const continueWith = (tokenDigest: string | null = null, inspect = agent): NodeCommand => ({
  type: 'ContinueInspection',
  payload,
  tokenDigest,
  inspect,
});

/** Of the same node that `enroll` makes. */
export const discover = (tokenDigest: string | null = null): NodeCommand => ({
  type: 'Discover',
  uuid: UUID,
  fields: someFields({ inspect_interface: 'agent' }),
  payload,
  tokenDigest,
});

export const power = (
  target: PowerTarget,
  timeoutSeconds: number | null = null,
  problem: string | null = null,
): NodeCommand => ({ type: 'ChangePower', target, timeoutSeconds, problem });

export const bootFrom = (device: string, persistent = false, problem: string | null = null): NodeCommand => ({
  type: 'SetBootDevice',
  device,
  persistent,
  problem,
});

/** As the use case asks it, with the waiting that the act itself wants unless told otherwise. */
export const manage = (
  act: Act,
  rest: Partial<Extract<NodeCommand, { type: 'Manage' }>> = {},
): Extract<NodeCommand, { type: 'Manage' }> => ({
  type: 'Manage',
  act,
  waits: actRules[act.act].waits,
  exclusive: true,
  problem: null,
  ...rest,
});

export const interrupt = (
  lost: Extract<NodeCommand, { type: 'Interrupt' }>['lost'],
  cause: 'restart' | 'takeover' = 'restart',
  inspect = inspector,
): NodeCommand => ({ type: 'Interrupt', cause, lost, inspect });

export const changeDeadline = (change: DeadlineChange, reason: string | null = null): NodeCommand => ({
  type: 'ChangeDeadline',
  change,
  by: { user: 'operator', request: 'req-1' },
  reason,
});
export const extend = (seconds: number): NodeCommand => changeDeadline({ kind: 'extend', seconds });
export const pause = changeDeadline({ kind: 'pause' });
export const resume = changeDeadline({ kind: 'resume' });

export const maintain = (reason: string | null = null): NodeCommand => ({ type: 'SetMaintenance', reason });
export const endMaintenance: NodeCommand = { type: 'ClearMaintenance' };
export const remove: NodeCommand = { type: 'Remove' };

/** A PATCH at 1.82 that leads to these fields. */
export const update = (
  fields: NodeFields,
  rest: { minor?: number; namedInterfaces?: readonly string[]; onlyRemovesInstance?: boolean } = {},
): NodeCommand => ({
  type: 'Update',
  fields,
  minor: rest.minor ?? 82,
  namedInterfaces: rest.namedInterfaces ?? [],
  onlyRemovesInstance: rest.onlyRemovesInstance ?? false,
});
