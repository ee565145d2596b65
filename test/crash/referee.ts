import type { Evidence, Logged, Published } from './evidence';
import type { Entry } from './journal';

const ENDING = /^Inspection(Finished|Failed|TimedOut|Aborted|Removed)$/;
const PASSING: ReadonlySet<string> = new Set(['inspecting', 'inspect wait', 'verifying', 'cleaning', 'clean wait']);

const isAccepted = ({ status }: Entry): boolean => status >= 200 && status < 300;
/** A 503 may quote a reason; only what it says of the request itself counts. */
const saysNothingHappened = ({ status, text }: Entry): boolean =>
  status === 503 && /nothing happened/i.test(text) && !/unknown/i.test(text);
const saysUnknown = ({ status, text }: Entry): boolean => status === 503 && /unknown/i.test(text);
/** Refused by the rules. An abort is two appends, and the first stands also when the second says no. */
const isRefused = ({ status, asked }: Entry): boolean => status >= 400 && status < 500 && asked !== 'abort';

const told = ({ asked, node, tried, status, requestId, text }: Entry): string =>
  `${asked} ${node}, try ${tried}: ${status} ${requestId ?? ''} ${text}`;
const counted = <T>(items: Iterable<T>): Map<T, number> => {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};
const byRequest = (events: readonly Logged[]): Map<string, Logged[]> => {
  const found = new Map<string, Logged[]>();
  for (const event of events) {
    if (event.requestId !== null) found.set(event.requestId, [...(found.get(event.requestId) ?? []), event]);
  }
  return found;
};

/** Events and answers tell the same: what was accepted is in the log, what "nothing happened" is said of is not. */
const wrongAnswers = ({ entries, events }: Evidence): string[] => {
  const written = byRequest(events);
  return entries.flatMap((entry) => {
    const own = entry.requestId === null ? [] : (written.get(entry.requestId) ?? []);
    if (isAccepted(entry) && own.length === 0) return [`accepted, and no event: ${told(entry)}`];
    if (saysNothingHappened(entry) && own.length > 0) return [`"nothing happened", but events: ${told(entry)}`];
    if (isRefused(entry) && own.length > 0) return [`refused, but events: ${told(entry)}`];
    if (entry.status === 503 && !saysNothingHappened(entry) && !saysUnknown(entry)) {
      return [`a 503 that does not say what happened: ${told(entry)}`];
    }
    if (entry.status === 500 && entry.asked !== 'abort') return [`a bug: ${told(entry)}`];
    return [];
  });
};

/** An accepted abort is an aborted attempt, an accepted delete a removed node. */
const brokenPromises = ({ entries, events }: Evidence): string[] => {
  const written = byRequest(events);
  return entries.filter(isAccepted).flatMap((entry) => {
    const own = written.get(entry.requestId ?? '') ?? [];
    if (entry.asked === 'delete') {
      return own.some(({ type }) => type === 'NodeRemoved') ? [] : [`deleted, and not removed: ${told(entry)}`];
    }
    if (entry.asked !== 'abort') return [];
    const intent = own.find(({ type }) => type === 'InspectionAbortRequested');
    const effect = (intent?.data['effect'] as { n?: number } | undefined)?.n;
    const isIts = ({ type, stream, data }: Logged): boolean =>
      type === 'InspectionAborted' && stream === intent?.stream && data['effect'] === effect;
    return events.some(isIts) ? [] : [`aborted, and the attempt did not end so: ${told(entry)}`];
  });
};

const attemptOf = ({ stream, data }: Logged): string => `attempt ${String(data['attempt'])} of ${stream}`;

const wrongEndings = ({ events }: Evidence): string[] => {
  const started = events.filter(({ type }) => type === 'InspectionStarted').map(attemptOf);
  const ended = new Map<string, string[]>();
  for (const event of events.filter(({ type }) => ENDING.test(type))) {
    ended.set(attemptOf(event), [...(ended.get(attemptOf(event)) ?? []), event.type]);
  }
  return started.flatMap((attempt) => {
    const endings = ended.get(attempt) ?? [];
    return endings.length === 1 ? [] : [`${attempt} has ${endings.length} endings: ${endings.join(', ')}`];
  });
};

/** However often a creation was sent, there is one node; and none that was removed or never asked for. */
const wrongNodes = ({ listed, names, events, entries, wishes }: Evidence): string[] => {
  const enrolled = counted(events.filter(({ type }) => type === 'NodeEnrolled').map(({ stream }) => stream));
  const removed = new Set(events.filter(({ type }) => type === 'NodeRemoved').map(({ stream }) => stream));
  const shown = counted(listed.map(({ name }) => name));
  const created = new Set(wishes.filter(({ asked }) => asked === 'create').map(({ node }) => node));
  const foreign = listed.filter(({ uuid, name }) => names.get(uuid) !== name).map(({ uuid }) => uuid);
  return [
    ...foreign.map((uuid) => `node ${uuid} is listed, and nobody created it so`),
    ...[...created].flatMap((uuid) => {
      const stream = `node/${uuid}`;
      const [births, rows] = [enrolled.get(stream) ?? 0, shown.get(names.get(uuid) ?? null) ?? 0];
      const wanted = removed.has(stream) ? 0 : 1;
      const said = entries.findLast(({ node, asked }) => node === uuid && asked === 'create')?.text ?? '';
      return [
        ...(births === 1 ? [] : [`node ${uuid} was enrolled ${births} times; the client was told: ${said}`]),
        ...(rows === wanted ? [] : [`node ${uuid} is listed ${rows} times, not ${wanted}`]),
      ];
    }),
  ];
};

const stuck = ({ listed, openDeadlines, openEffects, wishes }: Evidence): string[] => [
  ...listed
    .filter(({ provision_state: state, reservation }) => PASSING.has(state) || reservation !== null)
    .map(
      ({ uuid, provision_state: state, reservation }) => `node ${uuid} is stuck in "${state}", held by ${reservation}`,
    ),
  ...openDeadlines.map((row) => `still open: ${row}`),
  ...openEffects.map((row) => `still open: ${row}`),
  ...wishes
    .filter(({ outcome }) => outcome === 'given up')
    .map(({ asked, node }) => `a client gave up: ${asked} ${node}`),
];

/** Every event once, in order, without gaps, at least to where the log ended. */
const wrongStream = ({ published, head }: Evidence): string[] => {
  const [first, last] = [published[0], published.at(-1)];
  if (first === undefined || last === undefined) return head === 0 ? [] : ['nothing was published'];
  const breaks = published.flatMap((message, index) => {
    const before: Published | undefined = published[index - 1];
    if (before === undefined) return message.position === 1 ? [] : [`the stream begins at ${message.position}`];
    if (message.position === before.position + 1) return [];
    return [`position ${message.position} follows ${before.position} (sequence ${message.sequence})`];
  });
  // What is appended while the evidence is gathered may be in it already.
  return [...breaks, ...(last.position >= head ? [] : [`published up to ${last.position}, the log ends at ${head}`])];
};

/** Everything that is wrong with what a round left behind; empty when the crashes did no harm. */
export const judge = (evidence: Evidence): string[] => [
  ...evidence.deaths,
  ...wrongAnswers(evidence),
  ...brokenPromises(evidence),
  ...wrongEndings(evidence),
  ...wrongNodes(evidence),
  ...stuck(evidence),
  ...evidence.differences.map((difference) => `verify: ${difference}`),
  ...wrongStream(evidence),
];
