import type { Command } from '@lib/contracts';
import { Refusal, actRules, decide, interfaceField } from '@lib/domain';
import type { Act, Node, NodeCommand } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import { machineOf } from '../machine';
import type { Committed } from '../node-commits';
import type { HandlerDeps } from './deps';
import { FreshKey } from './fresh-key';
import { refuseForeignSealed, sealFields } from './seal';

type Managing = Extract<Command, { type: 'Manage' | 'SetTargetRaid' }>;
type Manage = Extract<NodeCommand, { type: 'Manage' }>;

/** What is asked of a machine beside power, boot device and work, decided and written down. */
export function manageNode(command: Managing, meta: EventMeta, deps: HandlerDeps): Promise<Committed> {
  const { commits, clock, options, box } = deps;
  const key = new FreshKey(box);
  return key.around(() =>
    commits.commit(command.uuid, meta, async ({ stream }) => {
      const { node } = stream;
      if (!node) throw new Refusal('NODE_NOT_FOUND', `Node ${command.uuid} could not be found.`);
      const context = { now: clock.now(), host: options.host, policy: options.policy };
      if (command.type === 'SetTargetRaid')
        return { events: decide(await raidWanted(command, node, deps), stream, context) };
      const plain = await checkedAct(command.act, node, deps);
      // The rules speak before a key is made for nothing.
      decide(plain, stream, context);
      return { events: decide(await sealedAct(plain, node, key, deps), stream, context) };
    }),
  );
}

async function raidWanted(
  { config }: Extract<Managing, { type: 'SetTargetRaid' }>,
  node: Node,
  { hardware, box }: HandlerDeps,
): Promise<NodeCommand> {
  const { driver, raid_interface: name } = node.fields;
  const raid = hardware.raid(name);
  if (!raid) throw new Refusal('RESOURCE_NOT_FOUND', `Driver ${driver} does not support raid (interface ${name}).`);
  const problem = raid.checkConfig(await machineOf(node, box), config);
  if (problem !== null) throw new Refusal('INVALID_PARAMETER', `Invalid target RAID configuration: ${problem}.`);
  return { type: 'SetTargetRaid', config };
}

/** Whether the node's interface offers it, and like this. */
async function checkedAct(act: Act, node: Node, { hardware, box }: HandlerDeps): Promise<Manage> {
  refuseForeignSealed({}, { act }, ['act']);
  const { by, waits } = actRules[act.act];
  const acting = hardware.acting(by, node.fields[interfaceField(by)]);
  const machine = await machineOf(node, box);
  const refusal = acting.check(machine, act);
  const unsupported = refusal && 'unsupported' in refusal ? { unsupported: refusal.unsupported } : {};
  const problem = refusal && 'problem' in refusal ? refusal.problem : acting.validate(machine);
  const plain: Manage = { type: 'Manage', act, waits, exclusive: true, problem, ...unsupported };
  if (act.act !== 'call vendor method' || refusal) return plain;
  const methods = acting.vendorMethods;
  const method = Object.hasOwn(methods, act.method) ? methods[act.method] : undefined;
  if (!method) return { ...plain, problem: `Unknown vendor method ${act.method}.` };
  if (!method.httpMethods.includes(act.httpMethod)) {
    const taken = method.httpMethods.join(', ');
    return { ...plain, problem: `The vendor method ${act.method} takes ${taken}, not ${act.httpMethod}.` };
  }
  return { ...plain, waits: !method.async, exclusive: method.exclusive };
}

/** With its secrets sealed by the node's key; one is made where it has none yet. */
async function sealedAct(plain: Manage, node: Node, key: FreshKey, { box }: HandlerDeps): Promise<Manage> {
  const { act } = plain;
  const had = node.keyId ?? key.made;
  const { keyId, act: sealed } = await sealSecrets(act, had, box);
  if (node.keyId === null && keyId !== null) key.made = keyId;
  return { ...plain, act: sealed, ...(node.keyId === null && keyId !== null ? { keyId } : {}) };
}

async function sealSecrets(
  act: Act,
  had: string | null,
  box: HandlerDeps['box'],
): Promise<{ readonly act: Act; readonly keyId: string | null }> {
  if (act.act === 'call vendor method') {
    const { fields, keyId } = await sealFields({ args: act.args }, had, box, ['args']);
    return { act: { ...act, ...fields }, keyId };
  }
  // Nobody can tell from a URL whether its user, path or query lets one in.
  if (act.act !== 'attach media') return { act, keyId: had };
  const keyId = had ?? (await box.newKey());
  return { act: { ...act, imageUrl: await box.seal(keyId, act.imageUrl) }, keyId };
}
