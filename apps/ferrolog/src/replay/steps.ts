import { InvalidArgumentError } from 'commander';
import { emptyStream, evolve, type NodeStream } from '@lib/domain';
import { nodeEventOf } from '@lib/usecases/node-streams';
import { recordedAt, type ShownEvent } from '../node-events';
import { type Change, difference } from './difference';
import { type View, viewOf } from './view';

/** The state after one event. */
export interface Step {
  readonly event: ShownEvent;
  readonly state: View;
  readonly difference: readonly Change[];
  /** False: an event of another release; it is carried and changes nothing that this build knows. */
  readonly known: boolean;
}

/** Folds a node's events from the first on, with the domain's own rules: no clock, no network (architecture, rule 8). */
export function stepsOf(events: readonly ShownEvent[]): Step[] {
  let stream: NodeStream = emptyStream;
  let before: View = null;
  return events.map((event) => {
    const known = nodeEventOf({ type: event.type, data: JSON.stringify(event.data) });
    if (known !== null) stream = evolve(stream, known);
    const state = viewOf(stream);
    const step = { event, state, difference: difference(before, state), known: known !== null };
    before = state;
    return step;
  });
}

/** Where a replay stops: at a version, or at what was recorded by a time (epoch ms). */
export type Until = { readonly version: number } | { readonly at: number };

/** @throws Error when the node had no event yet, or has no such version */
export function eventsUpTo(events: readonly ShownEvent[], to: Until | undefined): readonly ShownEvent[] {
  if (to === undefined) return events;
  const last = events.at(-1)?.version ?? 0;
  if ('version' in to) {
    const { version } = to;
    if (version < 1 || version > last)
      throw new Error(`The node has the versions 1 to ${last}; there is no ${version}.`);
    return events.filter((event) => event.version <= version);
  }
  const found = events.filter((event) => recordedAt(event) <= to.at);
  if (found.length === 0) throw new Error(`At ${new Date(to.at).toISOString()} the node had no event yet.`);
  return found;
}

const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A version (`7`, `v7`) or a time (ISO 8601, UTC unless it says otherwise). @throws InvalidArgumentError */
export function untilOf(text: string): Until {
  const version = /^v?(\d{1,15})$/.exec(text)?.[1];
  if (version !== undefined) return { version: Number(version) };
  const zoned = /^.{10}$|(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
  const at = ISO.test(text) ? Date.parse(zoned.replace(' ', 'T').replace(',', '.')) : NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('A version (7) or a time (2026-11-30T12:00:00Z) is needed.');
  return { at };
}
