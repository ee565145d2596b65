import { type Cell, type Column, type Paint, spanText, stateStyle, tableLines } from '../screen';
import { scriptText, verdictText } from './sentences';
import type { WatchedNode } from './watched-node';

export interface BoardLook {
  readonly paint: Paint;
  readonly width: number | null;
  /** What happens to a sentence that is too long. */
  readonly overflow: 'cut' | 'wrap';
}

const columns: readonly Column[] = [
  { title: ' ' },
  { title: 'NODE', widthMax: 32 },
  { title: 'STATE', widthMax: 14 },
  { title: 'SINCE', widthMax: 12 },
  { title: 'SCRIPT', widthMax: 26 },
  { title: 'WHAT HAPPENED' },
];

/** The table that is watched: one line per node, and a line that counts. */
export function boardLines(nodes: readonly WatchedNode[], nowMs: number, startedMs: number, look: BoardLook): string[] {
  const rows = nodes.map((node): Cell[] => [
    mark(node),
    { text: node.planned.label, style: 'bold' },
    { text: node.state, style: stateStyle(node.state) },
    { text: sinceText(node, nowMs, startedMs), style: 'dim' },
    { text: scriptText(node.planned), style: 'dim' },
    { text: node.differences === null ? happening(node, Date.now()) : verdictText(node) },
  ]);
  const done = nodes.filter(({ differences }) => differences !== null).length;
  const count = `${done} of ${nodes.length} have ended, ${spanText(nowMs - startedMs)}`;
  return [...tableLines(columns, rows, look), '', look.paint('dim', count)];
}

/** How long it has been in its state; once it has ended, the moment of that. */
const sinceText = ({ differences, sinceMs }: WatchedNode, nowMs: number, startedMs: number): string =>
  differences === null ? spanText(nowMs - sinceMs) : `at ${spanText(sinceMs - startedMs)}`;

function mark({ differences }: WatchedNode): Cell {
  if (differences === null) return { text: '·', style: 'dim' };
  return differences.length === 0 ? { text: '✓', style: 'green' } : { text: '✗', style: 'red' };
}

/** The newest event, and in a wait how much time is left. */
function happening({ what, state, dueAt }: WatchedNode, nowAt: number): string {
  const told = what ? [what.what, ...what.details] : [];
  const left =
    state === 'inspect wait' && dueAt !== null ? [`${Math.max(0, Math.ceil((dueAt - nowAt) / 1000))} s left`] : [];
  return [...left, ...told].join(' · ');
}
