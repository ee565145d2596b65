/**
 * What was compared: the order of the whole log (`position`, `recorded_at`, `command`), a stream's chain (`version`,
 * `prev_hash`, `hash`), an event that cannot be folded, a blob that an event names, or a derived row.
 */
export type Subject =
  | 'position'
  | 'recorded_at'
  | 'command'
  | 'version'
  | 'prev_hash'
  | 'hash'
  | 'event'
  | 'blob'
  | 'row'
  | 'missing row'
  | 'extra row';

/** Something stored is not what the log says, or the log contradicts itself. */
export interface Difference {
  readonly what: Subject;
  /** Position, stream and version, or table, key and column. */
  readonly where: string;
  /** Null: nothing. */
  readonly expected: string | null;
  readonly found: string | null;
}

const CHARS_MAX = 200;

export const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= CHARS_MAX ? text : `${text.slice(0, CHARS_MAX - 1)}…`;
};
