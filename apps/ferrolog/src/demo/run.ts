import { setTimeout as pause } from 'node:timers/promises';
import type { BareMetal } from '../bare-metal';
import { LiveArea, painter, plainText, spanText, type Terminal } from '../screen';
import { boardLines } from './board';
import type { PlannedNode } from './plan';
import { verdictText } from './sentences';
import { WatchedNode } from './watched-node';

export interface RunOptions {
  readonly api: BareMetal;
  readonly inspectorUrl: string;
  readonly planned: readonly PlannedNode[];
  /** Null: nothing is shown. */
  readonly terminal: Terminal | null;
  readonly signal: AbortSignal;
}

const REDRAW_MS = 200;
const now = (): number => performance.now();

/** Plays all nodes at once and shows it: a table redrawn in place, or a line per change where nothing can be redrawn. */
export async function runNodes({
  api,
  inspectorUrl,
  planned,
  terminal,
  signal,
}: RunOptions): Promise<readonly WatchedNode[]> {
  const started = now();
  const live = terminal?.live ? terminal : null;
  const tell = terminal && !live ? lineTeller(terminal, started) : () => undefined;
  const nodes = planned.map((one) => new WatchedNode(one, now, tell));
  const over = new AbortController();
  const shown = live ? redraw(live, nodes, started, over.signal) : Promise.resolve();
  try {
    await Promise.all(nodes.map((node) => node.play(api, inspectorUrl, signal)));
  } finally {
    over.abort();
    await shown;
  }
  return nodes;
}

async function redraw(
  terminal: Terminal,
  nodes: readonly WatchedNode[],
  started: number,
  over: AbortSignal,
): Promise<void> {
  const area = new LiveArea(terminal);
  const paint = painter(terminal.colour);
  const lines = (overflow: 'cut' | 'wrap'): string[] =>
    boardLines(nodes, now(), started, { paint, width: terminal.width(), overflow });
  while (!over.aborted) {
    area.draw(lines('cut'));
    await pause(REDRAW_MS, undefined, { signal: over }).catch(() => undefined);
  }
  area.clear();
  // Not drawn again, so it may be as long as it is.
  terminal.write(`${lines('wrap').join('\n')}\n`);
}

function lineTeller(terminal: Terminal, started: number) {
  const paint = painter(terminal.colour);
  return (node: WatchedNode, from: string): void => {
    const at = paint('dim', `[${spanText(now() - started).padStart(7)}]`);
    const ended = node.differences !== null;
    const said = ended
      ? `${node.differences.length === 0 ? 'as scripted' : '!!'}: ${verdictText(node)}`
      : `${from} → ${node.state}`;
    terminal.write(`${at} ${plainText(`${node.planned.label}  ${said}`)}\n`);
  };
}
