import { Refusal } from '../../refusal';
import { isCallbackWait, lookupAllowed, lookupAllowedFastTrack } from '../../states';
import type { ProvisionState } from '../../states';
import type { Context, NodeCommand } from '../commands';
import type { ToldAgent } from '../event-parts';
import type { NodeEvent } from '../events';
import type { Node, NodeStream, OpenWork } from '../state';
import { isFastTrack } from './fast-track';
import { existing, notYours, unreserved } from './guards';
import { workAborted } from './work-abort';
import { resumeWork } from './work-wait';

type LookUp = Extract<NodeCommand, { type: 'LookUp' }>;
type Heartbeat = Extract<NodeCommand, { type: 'Heartbeat' }>;

/**
 * A ramdisk asks who it is (contract: other-resources.md §3). The token is issued once per agent; an event is written when it
 * is, and for the first lookup of an attempt, because explanations name that.
 */
export function decideLookUp(command: LookUp, stream: NodeStream, { now: at, policy }: Context): readonly NodeEvent[] {
  const node = stream.node;
  if (!node) throw notYours();
  const states = isFastTrack(node, policy.fastTrack) ? lookupAllowedFastTrack : lookupAllowed;
  if (!command.inAnyState && !states.has(node.provisionState)) throw notYours();
  const issues = command.tokenDigest !== null && node.agentTokenDigest === null;
  // The ramdisk comes again in seconds; whoever holds the node may be about to forget its agent.
  if (issues) unreserved(node, false);
  const isFirst = node.inspection !== null && node.inspection.contact === null;
  if (!issues && !isFirst) return [];
  const tokenDigest = issues ? command.tokenDigest : null;
  return [{ type: 'AgentLookedUp', data: { at, attempt: node.inspection?.attempt ?? null, tokenDigest } }];
}

/** States outside any work in which fast track keeps an agent's address although no work waits for it (contract: other-resources.md §4). */
const kept: ReadonlySet<ProvisionState> = new Set(['enroll', 'manageable', 'available']);

/** Checks in the contract's order (other-resources.md §4). An inspection keeps nothing of it but that it came. */
export function decideHeartbeat(command: Heartbeat, stream: NodeStream, context: Context): readonly NodeEvent[] {
  const { now: at, policy } = context;
  const node = existing(stream);
  const known = node.driverInternalInfo['agent_url'];
  checkAgent(command, node, known);
  if (known === undefined) unreserved(node, false);
  if (node.inspection) {
    if (node.inspection.contact?.kind === 'heartbeat') return [];
    return [{ type: 'AgentHeartbeat', data: { at, attempt: node.inspection.attempt, agent: null } }];
  }
  if (node.reservation) return [];
  const agent = newOf(command, node);
  if (node.work && isCallbackWait(node.provisionState) && !node.fields.maintenance) {
    return calledBack(node.work, agent, node, stream, context);
  }
  const isKept = node.work !== null || (isFastTrack(node, policy.fastTrack) && kept.has(node.provisionState));
  return isKept && agent ? [{ type: 'AgentHeartbeat', data: { at, attempt: null, agent } }] : [];
}

/** Longer messages of an agent are cut, characters. */
const MESSAGE_CHARS_MAX = 4096;

/** What a heartbeat tells that is not known yet. */
function newOf(command: Heartbeat, { driverInternalInfo: known }: Node): ToldAgent | null {
  const { callbackUrl: url, agentVersion: version, agentStatus, agentStatusMessage, agentVerifyCa } = command;
  const statusMessage = agentStatusMessage?.slice(0, MESSAGE_CHARS_MAX) ?? null;
  const knows = (name: string, value: string | null) => value === null || value === known[name];
  const isKnown =
    url === known['agent_url'] &&
    version === known['agent_version'] &&
    knows('agent_status', agentStatus) &&
    knows('agent_status_message', statusMessage) &&
    knows('agent_verify_ca', agentVerifyCa);
  if (url === '' || isKnown) return null;
  return {
    url,
    version,
    ...(agentStatus === null ? {} : { status: agentStatus }),
    ...(statusMessage === null ? {} : { statusMessage }),
    ...(agentVerifyCa === null ? {} : { verifyCa: agentVerifyCa }),
  };
}

/** What was waited for has come: the work goes on, or ends where an abort waited for the end of its step. */
function calledBack(
  work: OpenWork,
  agent: ToldAgent | null,
  node: Node,
  stream: NodeStream,
  context: Context,
): NodeEvent[] {
  return work.endsAfterStep
    ? workAborted(work, node, stream, context, work.abortReason)
    : [resumeWork(work, node.provisionState, agent, stream, context)];
}

const refused = (text: string): Refusal => new Refusal('INVALID_PARAMETER', text);

function checkAgent(command: Heartbeat, { agentTokenDigest, uuid }: Node, known: unknown): void {
  const { callbackUrl, agentVersion, agentStatus, tokenDigest, requireTls } = command;
  if (known !== undefined && known !== callbackUrl) {
    throw refused(`The agent of node ${uuid} has another callback_url, which a heartbeat can not change.`);
  }
  if (agentVersion === null && agentStatus === null) throw refused('A heartbeat needs agent_version or agent_status.');
  if (agentTokenDigest === null || agentTokenDigest !== tokenDigest) {
    throw refused(`The agent_token is not the one that the agent of node ${uuid} was given.`);
  }
  if (requireTls && callbackUrl !== '' && !/^https:\/\//i.test(callbackUrl)) {
    throw refused('The callback_url of an agent must begin with https:// ([agent] require_tls).');
  }
}
