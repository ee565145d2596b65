import type { MachineSeen } from './effects';
import type { At } from './events';
import type { Node } from './state';

export const without = (
  record: Readonly<Record<string, unknown>>,
  ...keys: readonly string[]
): Record<string, unknown> => Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

export const dateTime = (at: At): string => new Date(at).toISOString().replace('Z', '000');

/** What is known of the agent of one boot; when it was last heard stays. */
const PREGENERATED = 'agent_secret_token_pregenerated';

const agentKeys = [
  PREGENERATED,
  'agent_url',
  'agent_version',
  'agent_status',
  'agent_status_message',
  'agent_verify_ca',
];

/** The agent's token and address go with the boot that they belong to (contract: errors-and-negotiation.md §10). */
export const agentForgotten = (node: Node): Node => ({
  ...node,
  agentTokenDigest: null,
  driverInternalInfo: without(node.driverInternalInfo, ...agentKeys),
});

/** A machine that goes down takes its agent along; a token that lies where it boots from is its next agent's as well. */
export function agentPoweredOff(node: Node): Node {
  const isHanded = node.inspection !== null && node.driverInternalInfo[PREGENERATED] === true;
  const { agentTokenDigest } = node;
  if (!isHanded) return agentForgotten(node);
  const forgotten = agentForgotten(node);
  return {
    ...forgotten,
    agentTokenDigest,
    driverInternalInfo: { ...forgotten.driverInternalInfo, [PREGENERATED]: true },
  };
}

/** What work other than a power change did to the machine. */
export function seenMachine(node: Node, at: At, machine: MachineSeen | undefined): Node {
  if (!machine) return node;
  const { powerState, changed, bootDevice, agentTokenDigest } = machine;
  return {
    ...node,
    powerState,
    bootDevice: bootDevice ?? node.bootDevice,
    agentTokenDigest: agentTokenDigest ?? node.agentTokenDigest,
    driverInternalInfo: {
      ...node.driverInternalInfo,
      ...(changed ? { last_power_state_change: dateTime(at) } : {}),
      ...(agentTokenDigest === undefined ? {} : { [PREGENERATED]: true }),
    },
  };
}
