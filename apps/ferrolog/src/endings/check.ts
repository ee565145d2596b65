import type { BareMetal, ShownNode } from '../bare-metal';
import type { Expectation } from './expectation';

/** What became of a node. */
export interface Outcome {
  readonly state: string;
  readonly error: string | null;
  readonly power: string | null;
  readonly inventory: boolean;
}

const UNDER_INSPECTION = /^(inspecting|inspect wait)$/;

/** Whether an inspection that was asked for is over, and the power as well as it will be. */
export const hasEnded = ({ provision_state: state, target_power_state: target }: ShownNode): boolean =>
  !UNDER_INSPECTION.test(state) && target === null;

export async function outcomeOf(api: BareMetal, uuid: string): Promise<Outcome> {
  const node = await api.node(uuid);
  return {
    state: node.provision_state,
    error: node.last_error,
    power: node.power_state,
    inventory: await api.hasInventory(uuid),
  };
}

/** Sentences about what is not as scripted; empty: all is. */
export function differences(expected: Expectation, got: Outcome): string[] {
  const said = got.error === null ? 'empty' : `"${got.error}"`;
  const errorFits =
    expected.error === null
      ? got.error === null
      : (got.error ?? '').toLowerCase().includes(expected.error.toLowerCase());
  return [
    ...(got.state === expected.state ? [] : [`state ${got.state}, not ${expected.state}`]),
    ...(errorFits
      ? []
      : [`last_error is ${said}, not ${expected.error === null ? 'empty' : `with "${expected.error}"`}`]),
    ...(got.power === expected.power ? [] : [`power ${got.power ?? 'unknown'}, not ${expected.power}`]),
    ...(got.inventory === expected.inventory
      ? []
      : [got.inventory ? 'an inventory is there' : 'no inventory is there']),
  ];
}

/** Whether the ramdisk's posts were answered as scripted. */
export function callbackDifferences(expected: Expectation, got: readonly (number | null)[]): string[] {
  if (JSON.stringify(got) === JSON.stringify(expected.callbacks)) return [];
  const words = (statuses: readonly (number | null)[]): string => statuses.map(String).join(', ') || 'none';
  return [`callbacks answered ${words(got)}, not ${words(expected.callbacks)}`];
}
