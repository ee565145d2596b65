import { byWords, inWords, recordedAt, type ShownEvent, type Tasks } from '../node-events';
import { clockText, dateText, type Column, type Paint, type Style, tableLines } from '../screen';

export interface EventLook {
  readonly paint: Paint;
  readonly width: number | null;
}

const columns: readonly Column[] = [
  { title: 'TIME (UTC)' },
  { title: 'V' },
  { title: 'BY', widthMax: 24 },
  { title: 'WHAT', widthMax: 32 },
  { title: 'DETAILS' },
];

/** Events as lines under their titles, a line with the date before each new day. */
export function eventLines(events: readonly ShownEvent[], look: EventLook, tasks: Tasks = new Map()): string[] {
  const words = inWords(events, tasks);
  const rows = events.map((event, at) => {
    const { what = '', details = [], known = true } = words[at] ?? {};
    return [
      { text: clockText(recordedAt(event)), style: 'dim' as const },
      { text: String(event.version) },
      { text: byWords(event), style: 'dim' as const },
      { text: what, ...(known ? styleOf(event.type) : { style: 'magenta' as const }) },
      { text: details.join(' · ') },
    ];
  });
  return tableLines(columns, rows, { ...look, overflow: 'wrap' });
}

/** Endings stand out, the rest is plain. */
function styleOf(type: string): { style?: Style } {
  if (/(Failed|TimedOut|Refused|Aborted)$/.test(type)) return { style: 'red' };
  if (type === 'InspectionFinished') return { style: 'green' };
  return type.startsWith('Inspection') ? { style: 'cyan' } : {};
}

/** The days of the events, for a heading. */
export function daysText(events: readonly ShownEvent[]): string {
  const days = [...new Set(events.map((event) => dateText(recordedAt(event))))];
  return days.length > 1 ? `${days[0]} to ${days.at(-1)}` : (days[0] ?? '');
}
