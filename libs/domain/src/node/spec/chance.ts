import type {
  Deadline,
  DeadlineChange,
  EffectOutcome,
  InspectInterfaceFacts,
  Node,
  NodeCommand,
  NodeStream,
  Policy,
  WorkStep,
} from '..';
import type { Act } from '../../management';
import { lostPower } from '..';
import { isHold, nextState } from '../../states';
import type { PowerTarget } from '../../states';
import type { TraitsChange } from '../../traits';
import {
  agent,
  bootFrom,
  changeDeadline,
  continueWith,
  enroll,
  fake,
  heartbeat,
  inspectManaged,
  inspector,
  interrupt,
  lookUp,
  manage,
  maintain,
  endMaintenance,
  power,
  provision,
  remove,
  report,
  update,
} from './commands';
import { someFields } from './a-node';

/** One throw of the dice: which command comes next is read from it and from the state that it meets. */
export interface Throw {
  readonly what: number;
  readonly which: number;
  readonly how: number;
  /** Ms that the clock moves before it; negative when the clock is set back. */
  readonly afterMs: number;
}

export const facts: readonly InspectInterfaceFacts[] = [
  inspector,
  agent,
  fake,
  { ...fake, name: 'redfish', abort: true, hearsOfEndings: true },
];
const words = ['MANAGEABLE', 'INSPECTWAIT', 'INSPECTWAIT', 'INSPECTWAIT', 'INSPECTING', 'nonsense', null];
const verbs = [
  'manage',
  'provide',
  'inspect',
  'abort',
  'active',
  'rebuild',
  'deleted',
  'clean',
  'adopt',
  'rescue',
  'unrescue',
  'service',
  'unhold',
  'done',
  'bogus',
];
const targets: readonly PowerTarget[] = ['power on', 'power off', 'rebooting', 'soft rebooting', 'soft power off'];
const timeouts = [undefined, null, 0, 1, 0.25, 600];

const pick = <T>(list: readonly T[], index: number): T => {
  if (list.length === 0) throw new Error('nothing to pick from');
  return list[index % list.length] as T;
};

/** A digit of a throw, so that two choices from one number do not go together. */
const digit = (number: number, place: number, base = 7): number => Math.floor(number / base ** place);

/** Facts of the interface that the node's attempt uses, as the use case hands them in. */
const factsOf = (node: Node | null): InspectInterfaceFacts =>
  facts.find(({ name }) => name === (node?.inspection?.interface ?? node?.fields.inspect_interface)) ?? fake;

/** An interface does what the start was written down with: it boots the ramdisk or it does not. */
function outcomeOf({ inspection, work, provisionState }: Node, { which, how }: Throw): EffectOutcome {
  const kind = how % 12;
  if (kind < 3) return { result: 'failed', reason: `reason ${which}` };
  if (kind === 3) return { result: 'cancelled' };
  const rest = digit(how, 1, 12);
  return {
    result: 'done',
    value: {
      returned: pick(words, rest),
      manageBoot: inspection?.manageBoot ?? (rest % 2 === 1 ? false : undefined),
      inventory: rest % 3 === 0 ? { inventory: `i${how}`, pluginData: `p${how}` } : null,
      powerState: which % 2 === 0 ? 'power on' : 'power off',
      changed: which % 7 !== 0,
      ...(work && nextState(provisionState, 'wait') && digit(which, 1) % 3 !== 0
        ? { waits: { abortable: which % 2 === 0 } }
        : {}),
      ...(digit(which, 1) % 7 === 1 ? { holds: true as const } : {}),
      ...(rest % 5 === 2 ? { parts: { bios: [{ name: 'setting', value: `${which % 3}` }] } } : {}),
      ...(rest % 2 === 0 ? { properties: { cpu_arch: pick(['x86_64', 'aarch64'], which) } } : {}),
      ...(rest % 3 === 1
        ? { machine: { powerState: 'power on' as const, changed: which % 2 === 0, bootDevice: null } }
        : {}),
    },
  };
}

/** Mostly an open number, sometimes an older or a future one. */
const numberFrom = (open: readonly number[], used: number, { which, how }: Throw): number =>
  open.length > 0 && how % 6 !== 5 ? pick(open, which) : which % (used + 3);

function elapseOf(stream: NodeStream, chance: Throw): NodeCommand {
  const deadlines = stream.node?.deadlines ?? [];
  const n = numberFrom(
    deadlines.map((deadline) => deadline.n),
    stream.counters.deadline,
    chance,
  );
  const own = deadlines.find((deadline: Deadline) => deadline.n === n)?.attempt;
  return {
    type: 'Elapse',
    n,
    attempt: chance.how % 9 === 8 ? chance.which % 4 : (own ?? 0),
    inspect: factsOf(stream.node),
  };
}

const changes: readonly DeadlineChange[] = [
  { kind: 'extend', seconds: 0.5 },
  { kind: 'extend', seconds: 600 },
  { kind: 'pause' },
  { kind: 'pause' },
  { kind: 'resume' },
  { kind: 'resume' },
];

/** What stands still is mostly let run again, since hardly anything else happens to it. */
function deadlineChangeOf(node: Node | null, { which, how }: Throw, now: number): NodeCommand {
  const isPaused = node?.deadlines.some(({ pausedAt }) => typeof pausedAt === 'number') ?? false;
  if (isPaused && how % 4 !== 0) return changeDeadline({ kind: 'resume' });
  const change = how % 7 === 6 ? ({ kind: 'move', due: now + which } as const) : pick(changes, which);
  return changeDeadline(change, how % 2 === 0 ? 'a reason' : null);
}

/** Data that was refused, its use, or that of data that was taken before. */
function refusedOf({ node }: NodeStream, chance: Throw, inspect: InspectInterfaceFacts): NodeCommand {
  const { which, how } = chance;
  if (how % 4 === 3) return { type: 'ReprocessData', inspect: which % 2 === 0 ? agent : inspect };
  const payload = { inventory: `late-${which % 9}`, pluginData: 'late' };
  if (which % 3 !== 0) return { type: 'KeepRefused', payload, bytes: 1000 };
  const record = numberFrom(node?.refused.map(({ n }) => n) ?? [], 3, chance);
  return { type: 'PromoteRefused', record, inspect: which % 2 === 0 ? agent : inspect };
}

function updateOf(node: Node | null, { which, how }: Throw): NodeCommand {
  const before = node?.fields ?? someFields();
  const changes = [
    { extra: { how } },
    { maintenance: !before.maintenance },
    { inspect_interface: pick(facts, how).name },
    { driver_info: { inspect_wait_timeout: pick(timeouts, how), fast_track: how % 4 === 0 } },
    { disable_power_off: how % 2 === 0 },
    { protected: how % 2 === 0, retired: how % 3 === 0 },
    { instance_uuid: how % 2 === 0 ? null : `instance-${how}` },
    {},
  ];
  const change = pick(changes, which);
  return update({ ...before, ...change }, { minor: how % 2 === 0 ? 38 : 82, namedInterfaces: Object.keys(change) });
}

function allocationOf(node: Node | null, { which, how }: Throw): NodeCommand {
  if (digit(how, 1) % 3 === 0) return { type: 'ReleaseAllocation' };
  const resourceClass = node?.fields.resource_class ?? null;
  const uuid = (which % 2 === 0 ? node?.fields.instance_uuid : null) ?? `allocation-${how}`;
  const owner = which % 3 === 0 ? 'somebody' : null;
  const request = { uuid, name: null, resourceClass, traits: [], candidates: [], owner };
  return { type: 'Allocate', request, inUse: which % 5 === 0 };
}

const traitNames = ['CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C', 'no trait'];

function traitsChangeOf({ which, how }: Throw): TraitsChange {
  const name = pick(traitNames, which);
  const changes: readonly TraitsChange[] = [
    { set: [name] },
    { add: name },
    { remove: name, mustExist: true },
    { set: [] },
  ];
  return pick(changes, digit(how, 1));
}

const acts: readonly Act[] = [
  { act: 'set console', enabled: true },
  { act: 'set boot mode', mode: 'uefi' },
  { act: 'inject nmi' },
  { act: 'set indicator', component: 'chassis', indicator: 'led', state: 'on' },
  { act: 'attach media', deviceType: 'cdrom', imageUrl: 'http://192.0.2.1/a.iso', downloadSource: 'http' },
  { act: 'detach media', deviceTypes: [] },
  { act: 'call vendor method', method: 'm', httpMethod: 'POST', args: {} },
];

function managementOf({ which, how }: Throw): NodeCommand {
  if (digit(how, 1) % 9 === 8)
    return { type: 'SetTargetRaid', config: which % 2 === 0 ? {} : { logical_disks: [how] } };
  const problem = digit(how, 2) % 9 === 8 ? 'a problem' : null;
  return manage(pick(acts, which), { waits: digit(how, 1) % 2 === 0, exclusive: digit(how, 1) % 3 !== 0, problem });
}

/** The command that a throw means for this state. */
const powerSeenOf = ({ which, how }: Throw): NodeCommand => ({
  type: 'NotePower',
  seen:
    which % 3 === 0
      ? { lost: 'no answer' }
      : { state: which % 2 === 0 ? 'power on' : 'power off', putRight: how % 3 === 0 },
});

export function commandOf(stream: NodeStream, chance: Throw, now: number): NodeCommand {
  const { what, which, how } = chance;
  const { node, counters } = stream;
  const inspect = factsOf(node);
  const problem = how % 13 === 12 ? 'a problem' : null;
  // What few throws would come to else: a machine that answers again, a retry whose time has come.
  if (node && lostPower(node) && what % 3 === 0) return powerSeenOf(chance);
  if (node?.deadlines.some(({ purpose }) => purpose === 'retry') && what % 3 === 1) return elapseOf(stream, chance);
  switch (what % 26) {
    case 0:
      return which % 3 === 0 ? remove : maintain('before a removal');
    case 1:
    case 2:
      return how % 3 === 0 ? maintain('why') : endMaintenance;
    case 3:
      if (how % 4 === 3 || node?.fields.fault === 'power failure') return powerSeenOf(chance);
      return power(pick(targets, which), null, problem);
    case 4:
      return how % 3 === 0 ? managementOf(chance) : bootFrom('pxe', how % 2 === 0, problem);
    case 5:
      if (how % 5 === 3) return allocationOf(node, chance);
      return how % 5 === 4 ? { type: 'ChangeTraits', change: traitsChangeOf(chance) } : updateOf(node, chance);
    case 6:
    case 7:
      return elapseOf(stream, chance);
    case 8:
      return how % 3 === 0 ? elapseOf(stream, chance) : deadlineChangeOf(node, chance, now);
    case 9:
    case 10: {
      if (how % 7 === 3) return refusedOf(stream, chance, inspect);
      const startedAt = (node?.inspection?.startedAt ?? now) + (how % 4) - 1;
      const attempt = how % 6 === 5 ? which % 4 : counters.attempt;
      return report(attempt, startedAt, { error: which % 3 === 0 ? 'an error' : null, inspect });
    }
    case 13:
      return lookUp(how % 3 === 0 ? null : `digest-${which % 3}`, how % 5 === 0);
    case 14:
      return heartbeat({
        tokenDigest: node?.agentTokenDigest ?? `digest-${which % 3}`,
        agentVersion: how % 9 === 0 ? null : `${how}`,
      });
    case 15: {
      const open = numberFrom(node?.effects.map(({ n }) => n) ?? [], counters.effect, chance);
      const lost = pick(['none', 'all', { effect: open }] as const, which);
      return interrupt(lost, how % 2 === 0 ? 'restart' : 'takeover', inspect);
    }
    case 11:
    case 12:
      return verbOf(pick(verbs, which), inspect, problem, chance);
    default:
      return node ? onward(node, stream, chance) : born(chance);
  }
}

const born = ({ which, how }: Throw): NodeCommand =>
  enroll({ inspect_interface: pick(facts, how).name, driver_info: { inspect_wait_timeout: pick(timeouts, which) } });

/** What moves a node on most: the outcome of its work, else the verb that its state knows. */
function onward(node: Node, stream: NodeStream, chance: Throw): NodeCommand {
  const inspect = factsOf(node);
  if (node.effects.length > 0 && chance.what % 5 !== 0) {
    const open = node.effects.map(({ n }) => n);
    const effect = numberFrom(open, stream.counters.effect, chance);
    return { type: 'EndEffect', effect, outcome: outcomeOf(node, chance), inspect };
  }
  if (node.provisionState === 'inspect wait') {
    if (chance.how % 8 === 1) return deadlineChangeOf(node, chance, node.inspection?.startedAt ?? 0);
    return chance.which % 2 === 0 ? provision('abort', inspect) : continueWith(`digest-${chance.how % 3}`, inspect);
  }
  if (node.work) return onwardWork(node, stream, chance);
  if (node.provisionState === 'available' && chance.which % 2 === 0) return allocationOf(node, chance);
  if (node.provisionState === 'manageable' && chance.how % 7 > 3) {
    return verbOf(pick(['provide', 'clean'], chance.which), inspect, null, chance);
  }
  if (node.provisionState !== 'manageable' && chance.which % 3 !== 0) return provision('manage', inspect);
  return chance.how % 3 === 0 ? inspectManaged('ipxe', inspect) : provision('inspect', inspect);
}

/** Work that waits or is held: the ramdisk calls back, or an operator has enough of it. */
function onwardWork(node: Node, stream: NodeStream, chance: Throw): NodeCommand {
  const { which, how } = chance;
  if (isHold(node.provisionState)) return provision(which % 3 === 0 ? 'abort' : 'unhold');
  if (node.agentTokenDigest === null && which % 3 !== 0) return lookUp(`digest-${which % 3}`);
  if (how % 4 === 1) return elapseOf(stream, chance);
  return which % 3 === 0
    ? provision(pick(['abort', 'abort', 'deleted'], how))
    : heartbeat({ tokenDigest: node.agentTokenDigest ?? 'digest-0' });
}

const steps: readonly WorkStep[] = [
  { interface: 'deploy', step: 'erase' },
  { interface: 'bios', step: 'apply', args: { settings: [] } },
  { interface: 'power', step: 'hold' },
];

/** A verb, with as many steps as the dice say where it takes some. */
const verbOf = (
  target: string,
  inspect: InspectInterfaceFacts,
  problem: string | null,
  { how }: Throw,
): NodeCommand => ({
  ...provision(target, inspect, problem),
  ...(steps.length > how % 5 ? { steps: steps.slice(how % 5) } : {}),
  ...(how % 11 === 0 ? { ramdisk: false as const } : {}),
});

/** Settings that change what the rules decide. */
export const policyOf = (policy: Policy, dice: number): Policy => ({
  ...policy,
  inspectWaitTimeoutSeconds: pick([1, 1800, 0], dice),
  callbackTimeoutSeconds: { ...policy.callbackTimeoutSeconds, 'clean wait': pick([1, 1, 1800, 0], dice) },
  waitTimeouts: dice % 5 !== 4,
  inspectorPowerOff: dice % 3 !== 2,
  fastTrack: dice % 7 === 6,
  ...(dice % 2 === 0
    ? { inspectRetry: { attempts: 2, groups: {}, backoffSeconds: pick([0, 1, 60], dice), factor: 2, secondsMax: 90 } }
    : {}),
  inspectingReturn: dice % 2 === 0 ? 'warn' : 'fail',
  peerLimitMs: pick([1, 32_000], dice),
});
