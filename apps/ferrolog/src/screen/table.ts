import type { Paint, Style } from './paint';
import { plainText } from './plain-text';
import { cut, displayWidth, pad, wrap } from './width';

export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

export interface Column {
  readonly title: string;
  /** Columns beyond this are cut off; the last column takes what is left. */
  readonly widthMax?: number;
}

export interface TableLook {
  readonly paint: Paint;
  /** Null: no limit. */
  readonly width: number | null;
  /** What happens to a last column that is too long. */
  readonly overflow: 'cut' | 'wrap';
}

const GAP = 2;
/** Sentences in fewer columns than this are hard to read: then they stand below their row. */
const SENTENCE_WIDTH_MIN = 30;

/** Rows under a line of titles, as lines. Texts are made safe for a terminal here. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly Cell[])[], look: TableLook): string[] {
  const safe = rows.map((row) => row.map((cell) => ({ ...cell, text: plainText(cell.text) })));
  const widths = columns.map(({ title, widthMax = Infinity }, at) =>
    Math.min(widthMax, Math.max(displayWidth(title), ...safe.map((row) => displayWidth(row[at]?.text ?? '')))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP, 0);
  const left = look.width === null ? Infinity : Math.max(10, look.width - before - 1);
  const titles = columns.map(({ title }) => ({ text: title, style: 'dim' as const }));
  return [titles, ...safe].flatMap((row) => rowLines(row, widths.slice(0, -1), { before, left }, look));
}

function rowLines(
  row: readonly Cell[],
  widths: readonly number[],
  place: { readonly before: number; readonly left: number },
  look: TableLook,
): string[] {
  const show = ({ text, style }: Cell): string => (style && text !== '' ? look.paint(style, text) : text);
  const first = widths
    .map((width, at) => pad(show({ ...row[at], text: cut(row[at]?.text ?? '', width) }), width + GAP))
    .join('');
  const last = row[widths.length] ?? { text: '' };
  const under = (texts: readonly string[], columns: number): string[] =>
    texts.map((text) => ' '.repeat(columns) + show({ ...last, text }));
  if (look.overflow === 'cut') return [(first + show({ ...last, text: cut(last.text, place.left) })).trimEnd()];
  if (place.left < SENTENCE_WIDTH_MIN && displayWidth(last.text) > place.left) {
    const indent = (widths[0] ?? 0) + GAP;
    return [first.trimEnd(), ...under(wrap(last.text, place.before - indent + place.left), indent)];
  }
  const [text = '', ...more] = wrap(last.text, place.left);
  return [(first + show({ ...last, text })).trimEnd(), ...under(more, place.before)];
}
