import type { NodeEvent, NodeFields } from '..';
import { done, elapse, enroll, inspectManaged, inspector, provision, returned } from './commands';
import { story } from './rules';
import type { Step } from './rules';

/**
 * Lives that many specs begin with. Times in ms: enrolled at 1000, verified at 3000, inspection 1 starts at 10000 and
 * waits from 11000 on, with deadline 1. Effects: 1 verify, 2 inspect, 3 start introspection.
 */
export const STARTED = 10_000;
/** Due time of deadline 1 under the shipped timeout. */
export const DUE = STARTED + 1_800_000;

const toManageable = (fields: Partial<NodeFields>): Step[] => [
  [enroll(fields), 1000],
  [provision('manage'), 2000],
  [done(1), 3000],
];
const toInspecting = (fields: Partial<NodeFields>): Step[] => [
  ...toManageable(fields),
  [provision('inspect'), STARTED],
];
const toWaiting = (fields: Partial<NodeFields>, inspect = inspector, manageBoot: boolean | null = false): Step[] => [
  ...toManageable(fields),
  [manageBoot === true ? inspectManaged('ipxe', inspect) : provision('inspect', inspect), STARTED],
  [returned(2, 'INSPECTWAIT', { manageBoot: manageBoot ?? undefined }, inspect), 11_000],
];

export const enrolled = (fields: Partial<NodeFields> = {}): readonly NodeEvent[] => story([enroll(fields), 1000]);
export const manageable = (fields: Partial<NodeFields> = {}) => story(...toManageable(fields));
export const inspecting = (fields: Partial<NodeFields> = {}) => story(...toInspecting(fields));
/** In `inspect wait`; the inspector has been told to start when its interface asks for that and does not do it itself. */
export const waiting = (fields: Partial<NodeFields> = {}, inspect = inspector, manageBoot: boolean | null = false) =>
  story(...toWaiting(fields, inspect, manageBoot), ...started(inspect, manageBoot));
/** Waiting, and an abort asked for at 20000: effect 4 (3 with managed boot), to be given up at 50000 (deadline 2). */
export const aborting = (fields: Partial<NodeFields> = {}, manageBoot = false) =>
  story(...toWaiting(fields, inspector, manageBoot), ...started(inspector, manageBoot), [provision('abort'), 20_000]);
/** `inspect failed` by timeout; effect 4 powers the machine off. */
export const timedOut = (fields: Partial<NodeFields> = {}) =>
  story(...toWaiting(fields), ...started(inspector), [elapse(1, 1), DUE]);
/** Cleaned and `available`; effects 1 and 2 are used. */
export const available = (fields: Partial<NodeFields> = {}) =>
  story(...toManageable(fields), [provision('provide'), 4000], [done(2), 5000]);

const started = (
  { startsIntrospection }: { readonly startsIntrospection: boolean },
  manageBoot: boolean | null = false,
): Step[] => (startsIntrospection && manageBoot !== true ? [[done(3), 12_000]] : []);
