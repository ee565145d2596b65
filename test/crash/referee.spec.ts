import type { Listed } from './board';
import type { Evidence, Logged } from './evidence';
import type { Asked, Entry } from './journal';
import { judge } from './referee';

const [A, B] = ['uuid-a', 'uuid-b'];
const NAMES = new Map([
  [A, 'a'],
  [B, 'b'],
]);

const event = (position: number, uuid: string, type: string, data: object = {}, requestId?: string): Logged => ({
  position,
  stream: `node/${uuid}`,
  version: position,
  type,
  data: { ...data },
  requestId: requestId ?? null,
});
const entry = (node: string, asked: Asked, requestId: string | null, status: number, text = ''): Entry => ({
  node,
  asked,
  tried: 1,
  status,
  requestId,
  text,
  ms: 1,
});
const node = (uuid: string, state: string, changes: Partial<Listed> = {}): Listed => ({
  uuid,
  name: NAMES.get(uuid) ?? null,
  provision_state: state,
  reservation: null,
  ...changes,
});

const EVENTS = [
  event(1, A, 'NodeEnrolled', {}, 'r1'),
  event(2, B, 'NodeEnrolled', {}, 'r2'),
  event(3, A, 'InspectionStarted', { attempt: 1 }, 'r3'),
  event(4, A, 'InspectionAbortRequested', { attempt: 1, effect: { n: 7 } }, 'r4'),
  event(5, A, 'InspectionAborted', { attempt: 1, effect: 7 }),
  event(6, B, 'NodeRemoved', {}, 'r5'),
];
const ENTRIES = [
  entry(A, 'create', 'r1', 201),
  entry(B, 'create', 'r2', 201),
  entry(A, 'inspect', 'r3', 202),
  entry(A, 'abort', 'r4', 202),
  entry(B, 'delete', 'r5', 204),
  // What did not get through, and says so, or got no answer at all.
  entry(A, 'manage', 'r6', 503, 'No conductor is listening. Nothing happened; the request may be repeated.'),
  entry(A, 'manage', 'r7', 503, 'Whether the request was carried out is unknown: look before you repeat it.'),
  entry(A, 'manage', null, 0, 'ECONNREFUSED'),
  entry(A, 'create', 'r8', 409, 'exists'),
];

const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  entries: ENTRIES,
  wishes: [
    { node: A, asked: 'create', outcome: 'accepted' },
    { node: B, asked: 'create', outcome: 'accepted' },
  ],
  events: EVENTS,
  listed: [node(A, 'inspect failed')],
  names: NAMES,
  openDeadlines: [],
  openEffects: [],
  differences: [],
  published: EVENTS.map(({ position }) => ({ sequence: position, position })),
  head: 6,
  deaths: [],
  ...changes,
});
const withEntry = (...entries: Entry[]): Partial<Evidence> => ({ entries: [...ENTRIES, ...entries] });
const withEvents = (...events: Logged[]): Partial<Evidence> => ({ events: [...EVENTS, ...events] });
const without = (position: number): Partial<Evidence> => ({
  events: EVENTS.filter((one) => one.position !== position),
});

describe('the referee of the crash test', () => {
  it('has nothing to say of crashes that did no harm', () => {
    expect(judge(evidence())).toEqual([]);
  });

  const FAULTS: ReadonlyArray<readonly [string, Partial<Evidence>, RegExp]> = [
    ['an accepted request without its event', without(3), /accepted, and no event: inspect/],
    ['an accepted request whose event is another one’s', withEntry(entry(A, 'manage', 'r9', 202)), /no event: manage/],
    [
      'a "nothing happened" of what happened',
      withEntry(entry(A, 'inspect', 'r3', 503, 'Nothing happened; the request may be repeated.')),
      /"nothing happened", but events/,
    ],
    ['a 503 that says neither', withEntry(entry(A, 'inspect', 'r9', 503, 'busy')), /does not say what happened/],
    ['a refusal of what happened', withEntry(entry(A, 'inspect', 'r3', 400, 'invalid state')), /refused, but events/],
    ['a 500', withEntry(entry(A, 'manage', 'r9', 500, 'cannot read properties of undefined')), /a bug: manage/],
    ['an accepted abort that only asked', without(5), /aborted, and the attempt did not end so/],
    [
      'an accepted abort of an attempt that timed out',
      { events: EVENTS.map((one) => (one.position === 5 ? { ...one, type: 'InspectionTimedOut' } : one)) },
      /aborted, and the attempt did not end so/,
    ],
    [
      'an abort that was answered with another one’s ending',
      { events: EVENTS.map((one) => (one.position === 5 ? { ...one, data: { attempt: 1, effect: 8 } } : one)) },
      /aborted, and the attempt did not end so/,
    ],
    [
      'an accepted delete of a node that is there',
      { events: EVENTS.map((one) => (one.position === 6 ? { ...one, type: 'MaintenanceSet' } : one)) },
      /deleted, and not removed/,
    ],
    ['no ending', without(5), /attempt 1 of node\/uuid-a has 0 endings/],
    ['two endings', withEvents(event(7, A, 'InspectionTimedOut', { attempt: 1 })), /has 2 endings/],
    ['a creation that made a node twice', withEvents(event(7, A, 'NodeEnrolled')), /enrolled 2 times/],
    ['a creation that made two nodes', { listed: [node(A, 'enroll'), node('x', 'enroll', { name: 'a' })] }, /listed 2/],
    ['a node of nobody', { listed: [node(A, 'enroll'), node('x', 'enroll')] }, /nobody created it so/],
    ['a node that is lost', { listed: [] }, /node uuid-a is listed 0 times, not 1/],
    ['a node that came back', { listed: [node(A, 'enroll'), node(B, 'enroll')] }, /node uuid-b is listed 1 times/],
    ['a node that waits for ever', { listed: [node(A, 'inspect wait')] }, /stuck in "inspect wait"/],
    ['a reservation of nobody', { listed: [node(A, 'enroll', { reservation: 'host' })] }, /held by host/],
    ['an open deadline', { openDeadlines: ['deadline 1'] }, /still open: deadline 1/],
    ['an open effect', { openEffects: ['effect 1'] }, /still open: effect 1/],
    ['a client that got no answer', { wishes: [{ node: A, asked: 'abort', outcome: 'given up' }] }, /a client gave up/],
    ['what verify finds', { differences: ['document'] }, /verify: document/],
    ['a service that ended by itself', { deaths: ['api ended'] }, /api ended/],
    ['an empty stream', { published: [] }, /nothing was published/],
    ['a stream that lacks the end', { head: 9 }, /published up to 6, the log ends at 9/],
    ['a stream that lacks the beginning', { published: evidence().published.slice(1) }, /the stream begins at 2/],
    [
      'a gap in the stream',
      { published: evidence().published.filter(({ position }) => position !== 3) },
      /position 4 follows 2/,
    ],
    [
      'an event that was published twice',
      { published: [...evidence().published, { sequence: 7, position: 6 }] },
      /position 6 follows 6/,
    ],
  ];
  it.each(FAULTS)('objects to %s', (_what, changes, complaint) => {
    expect(judge(evidence(changes)).join('\n')).toMatch(complaint);
  });
});
