import type { Fight, Fired } from './ring';

/** Each attempt ends with exactly one of these. */
export const ENDINGS: Readonly<Record<string, { readonly state: string | null; readonly word: string | null }>> = {
  InspectionFinished: { state: 'manageable', word: null },
  InspectionFailed: { state: 'inspect failed', word: null },
  InspectionTimedOut: { state: 'inspect failed', word: 'timeout reached' },
  InspectionAborted: { state: 'inspect failed', word: 'aborted' },
  InspectionRemoved: { state: null, word: null },
};

/** What each request may be answered, whoever wins. 500 is the answer to an abort that the inspector refused. */
const ANSWERS: Readonly<Record<Fired['what'], readonly number[]>> = {
  abort: [202, 400, 404, 409, 500],
  close: [202, 400, 404, 409, 500],
  callback: [200, 400, 404],
  maintenance: [202, 404],
  remove: [202, 404],
  delete: [204, 404, 409],
};

export const endingsOf = ({ events }: Fight): string[] =>
  events.map(({ type }) => type).filter((type) => Object.hasOwn(ENDINGS, type));

const isAbort = ({ what }: Fired): boolean => what === 'abort' || what === 'close';
const count = <T>(items: readonly T[], test: (item: T) => boolean): number => items.filter(test).length;
const eventsOf = ({ events }: Fight, type: string): Fight['events'] => events.filter((event) => event.type === type);

const wrongAnswers = ({ fired }: Fight): string[] =>
  fired
    .filter(({ what, status }) => !ANSWERS[what].includes(status))
    .map(({ what, status, text }) => `${what} answered ${status}: ${text}`);

/** A 202 to an abort says "aborted", a 204 to a delete says "removed": neither may be said of another ending. */
const contradictions = (fight: Fight, ending: string | undefined): string[] => {
  const aborted = count(fight.fired, (shot) => isAbort(shot) && shot.status === 202);
  const refused = count(fight.fired, (shot) => isAbort(shot) && shot.status === 500);
  const removed = count(fight.fired, ({ what, status }) => what === 'delete' && status === 204);
  const accepted = count(fight.fired, ({ what, status }) => what === 'callback' && status === 200);
  return [
    aborted !== (ending === 'InspectionAborted' ? 1 : 0) && `${aborted} aborts were accepted, the ending is ${ending}`,
    refused !== eventsOf(fight, 'InspectionAbortRefused').length && `${refused} aborts answered 500 without a refusal`,
    removed > 1 && `${removed} deletes were accepted`,
    (removed === 1) !== (fight.node === null) && `deletes accepted: ${removed}, node ${fight.node ? 'there' : 'gone'}`,
    ending === 'InspectionRemoved' && removed !== 1 && 'removed without an accepted delete',
    ending === 'InspectionFinished' && accepted === 0 && 'finished without an accepted callback',
  ].filter((complaint): complaint is string => complaint !== false);
};

const says = (text: string | null, word: string): boolean => text?.toLowerCase().includes(word) ?? false;

/** One history row per ending that is told there, and one per abort that was refused; none for a success. */
const wrongState = (fight: Fight, ending: string): string[] => {
  const { node, history } = fight;
  if (node === null) return [];
  const { state, word } = ENDINGS[ending] ?? { state: null, word: null };
  const told = word === null ? 0 : count(history, (text) => says(text, word));
  const rows = eventsOf(fight, 'InspectionAbortRefused').length + (word === null ? 0 : 1);
  return [
    node.provision_state !== state && `${ending}, but the node is "${node.provision_state}"`,
    word !== null && !says(node.last_error, word) && `${ending}, but last_error is ${node.last_error}`,
    word !== null && told !== 1 && `${ending}, but ${told} history rows say "${word}"`,
    ending !== 'InspectionFailed' &&
      history.length !== rows &&
      `${ending}: ${history.length} history rows, not ${rows}`,
  ].filter((complaint): complaint is string => complaint !== false);
};

const early = (fight: Fight): string[] =>
  eventsOf(fight, 'InspectionTimedOut')
    .map(({ data }) => data as { at: number; deadline: { due: number } })
    .filter(({ at, deadline }) => at < deadline.due)
    .map(({ at, deadline }) => `timed out ${deadline.due - at} ms early`);

/** Everything that is wrong with a round; empty when it was fair. */
export const judgeFight = (fight: Fight): string[] => {
  const endings = endingsOf(fight);
  const [ending] = endings;
  return [
    ...(endings.length === 1 ? [] : [`${endings.length} endings: ${endings.join(', ')}`]),
    ...wrongAnswers(fight),
    ...contradictions(fight, ending),
    ...(ending === undefined ? [] : wrongState(fight, ending)),
    ...early(fight),
  ];
};

/** For the one who has to find out why. */
export const describeFight = (
  { round, uuid, fired, events, node, history }: Fight,
  complaints: readonly string[],
): string =>
  [
    `round ${round.number} (${uuid}): ${complaints.join('; ')}`,
    `  plan: timeout ${round.timeoutS} s, ${round.shots.map(({ what, atMs }) => `${what}@${atMs}`).join(' ')}`,
    `  answers: ${fired.map(({ what, status }) => `${what} ${status}`).join(', ')}`,
    `  events: ${events.map(({ type }) => type).join(' ')}`,
    `  node: ${node === null ? 'removed' : `${node.provision_state}, ${node.last_error}`}; history: ${JSON.stringify(history)}`,
  ].join('\n');
