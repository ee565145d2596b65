import type { InspectInterfaceFacts, Node } from '../..';
import { agent, fake, inspector } from '../commands';

/** One throw of the dice: which command comes next is read from it and from the state that it meets. */
export interface Throw {
  readonly what: number;
  readonly which: number;
  readonly how: number;
  /** Ms that the clock moves before it; negative when the clock is set back. */
  readonly afterMs: number;
}

export const pick = <T>(list: readonly T[], index: number): T => {
  if (list.length === 0) throw new Error('nothing to pick from');
  return list[index % list.length] as T;
};

/** A digit of a throw, so that two choices from one number do not go together. */
export const digit = (number: number, place: number, base = 7): number => Math.floor(number / base ** place);

/** Mostly an open number, sometimes an older or a future one. */
export const numberFrom = (open: readonly number[], used: number, { which, how }: Throw): number =>
  open.length > 0 && how % 6 !== 5 ? pick(open, which) : which % (used + 3);

export const facts: readonly InspectInterfaceFacts[] = [
  inspector,
  agent,
  fake,
  { ...fake, name: 'redfish', abort: true, hearsOfEndings: true },
];

/** Facts of the interface that the node's attempt uses, as the use case hands them in. */
export const factsOf = (node: Node | null): InspectInterfaceFacts =>
  facts.find(({ name }) => name === (node?.inspection?.interface ?? node?.fields.inspect_interface)) ?? fake;
