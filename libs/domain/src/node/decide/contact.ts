import { Refusal } from '../../refusal';
import { lookupAllowed, lookupAllowedFastTrack } from '../../states';
import type { ProvisionState } from '../../states';
import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { isFastTrack } from './fast-track';
import { existing, notYours, unreserved } from './guards';

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

/** States in which fast track keeps an agent's address although no work waits for it (contract: other-resources.md §4). */
const kept: ReadonlySet<ProvisionState> = new Set(['enroll', 'manageable', 'available']);

/** Checks in the contract's order (other-resources.md §4). An inspection keeps nothing of it but that it came. */
export function decideHeartbeat(
  command: Heartbeat,
  stream: NodeStream,
  { now: at, policy }: Context,
): readonly NodeEvent[] {
  const node = existing(stream);
  const known = node.driverInternalInfo['agent_url'];
  checkAgent(command, node, known);
  if (known === undefined) unreserved(node, false);
  if (node.inspection) {
    if (node.inspection.contact?.kind === 'heartbeat') return [];
    return [{ type: 'AgentHeartbeat', data: { at, attempt: node.inspection.attempt, agent: null } }];
  }
  if (!isFastTrack(node, policy.fastTrack) || !kept.has(node.provisionState) || node.reservation) return [];
  const { callbackUrl: url, agentVersion: version } = command;
  if (url === '' || (url === known && version === node.driverInternalInfo['agent_version'])) return [];
  return [{ type: 'AgentHeartbeat', data: { at, attempt: null, agent: { url, version } } }];
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
