import { byWords, inWords, recordedAt } from '../node-events';
import { clockText, dateText, type Paint, plainText, stateStyle } from '../screen';
import type { Change } from './difference';
import type { Step } from './steps';
import type { View } from './view';

/** Moves with every event and says nothing beside the event's own time. */
const UNTOLD = /^(updated_at|provision_updated_at|counters\.)/;

/** Each event with what it changed, then the whole state at the end. */
export function replayLines(steps: readonly Step[], paint: Paint): string[] {
  const words = inWords(steps.map(({ event }) => event));
  const told = steps.flatMap((step, at) => {
    const { event } = step;
    const { what = '' } = words[at] ?? {};
    const head = [
      paint('bold', `v${event.version}`),
      paint('dim', `${dateText(recordedAt(event))} ${clockText(recordedAt(event))}`),
      paint(step.known ? 'bold' : 'magenta', plainText(what)),
      paint('dim', plainText(`by ${byWords(event)}`)),
    ].join('  ');
    const unknown = step.known
      ? []
      : [paint('magenta', `    ${plainText(event.type)} is unknown to this release; carried, not folded`)];
    return [head, ...unknown, ...changeLines(step, paint)];
  });
  return [...told, '', ...stateLines(steps.at(-1), paint)];
}

/** A node that came or went is one change; its values stand in the state. */
function changeLines({ difference, state, event }: Step, paint: Paint): string[] {
  if (state === null) return [`    ${paint('red', 'the node is gone')}`];
  const told = difference.filter(
    ({ path, to }) => !UNTOLD.test(path) && !(event.type === 'NodeEnrolled' && isEmpty(to)),
  );
  if (told.length === 0) return [paint('dim', '    nothing changed')];
  return told.map((change) => `    ${changeText(change, paint)}`);
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === false || JSON.stringify(value) === '{}';

function changeText({ path, from, to }: Change, paint: Paint): string {
  const name = plainText(path);
  if (from === undefined) return `${paint('green', '+')} ${name}: ${valueText(path, to, paint)}`;
  if (to === undefined) return `${paint('red', '-')} ${name}: ${valueText(path, from, paint)}`;
  return `${paint('yellow', '~')} ${name}: ${valueText(path, from, paint)} → ${valueText(path, to, paint)}`;
}

function valueText(path: string, value: unknown, paint: Paint): string {
  const text = plainText(typeof value === 'string' && value !== '' ? value : JSON.stringify(value));
  return path === 'provision_state' ? paint(stateStyle(text), text) : text;
}

/** What the last step left, without what is empty. */
function stateLines(last: Step | undefined, paint: Paint): string[] {
  if (!last) return [];
  const title = paint('bold', `State as of v${last.event.version}`);
  const { state } = last;
  if (state === null) return [title, '    there is no node'];
  return [title, ...flat('', state).map(([path, value]) => `    ${plainText(path)}: ${valueText(path, value, paint)}`)];
}

function flat(path: string, value: View | unknown): (readonly [string, unknown])[] {
  if (isEmpty(value)) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => flat(path === '' ? key : `${path}.${key}`, inner));
}
