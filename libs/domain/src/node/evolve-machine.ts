import type { MachineSeen } from './effects';
import type { At } from './events';
import type { Node } from './state';

export const without = (
  record: Readonly<Record<string, unknown>>,
  ...keys: readonly string[]
): Record<string, unknown> => Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

export const dateTime = (at: At): string => new Date(at).toISOString().replace('Z', '000');

/** What is known of the agent of one boot; when it was last heard stays. */
const agentKeys = ['agent_url', 'agent_version', 'agent_status', 'agent_status_message', 'agent_verify_ca'];

/** The agent's token and address go with the boot that they belong to (contract: errors-and-negotiation.md §10). */
export const agentForgotten = (node: Node): Node => ({
  ...node,
  agentTokenDigest: null,
  driverInternalInfo: without(node.driverInternalInfo, ...agentKeys),
});

/** What work other than a power change did to the machine. */
export function seenMachine(node: Node, at: At, machine: MachineSeen | undefined): Node {
  if (!machine) return node;
  const { powerState, changed, bootDevice } = machine;
  return {
    ...node,
    powerState,
    bootDevice: bootDevice ?? node.bootDevice,
    driverInternalInfo: changed
      ? { ...node.driverInternalInfo, last_power_state_change: dateTime(at) }
      : node.driverInternalInfo,
  };
}
