import type { Normalised } from './normalise';
import type { Expected, Step } from './scenario';

/**
 * `text` differences are wordings of human texts: both sides have one, ours reads otherwise. `description`: an answer that our
 * own description of the API does not know.
 */
export type Kind = 'status' | 'header' | 'shape' | 'value' | 'text' | 'poll' | 'run' | 'description';

export interface Difference {
  readonly path: string;
  readonly kind: Kind;
  readonly want: unknown;
  readonly got: unknown;
}

const ABSENT = '<absent>';
const TEXT_KEYS = new Set([
  ...['faultstring', 'error_message', 'message', 'reason', 'description', 'last_error', 'event'],
  'maintenance_reason',
]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindAt = (path: string, otherwise: Kind): Kind => {
  if (path === 'status') return 'status';
  if (path.startsWith('headers')) return 'header';
  const key = path.slice(path.lastIndexOf('.') + 1);
  return otherwise === 'value' && (TEXT_KEYS.has(key) || path === 'text') ? 'text' : otherwise;
};

const one = (path: string, kind: Kind, want: unknown, got: unknown): Difference[] => [{ path, kind, want, got }];

/** `{"$text": true}`, `{"$contains": word}`, `{"$in": [...]}`; undefined when `want` is none of them. */
const matcher = (want: Record<string, unknown>, got: unknown, path: string): Difference[] | undefined => {
  if (want['$text'] === true) {
    return typeof got === 'string' && got.trim() !== '' ? [] : one(path, 'value', want, got);
  }
  if (Array.isArray(want['$in'])) return want['$in'].includes(got) ? [] : one(path, kindAt(path, 'value'), want, got);
  if (typeof want['$contains'] === 'string') {
    const word = want['$contains'].toLowerCase();
    return typeof got === 'string' && got.toLowerCase().includes(word) ? [] : one(path, 'value', want, got);
  }
  return undefined;
};

const recordDifferences = (want: Record<string, unknown>, got: Record<string, unknown>, path: string): Difference[] => {
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const wanted = Object.keys(want).flatMap((key) =>
    Object.hasOwn(got, key)
      ? differences(want[key], got[key], below(key))
      : one(below(key), kindAt(below(key), 'shape'), want[key], ABSENT),
  );
  const extra = Object.keys(got)
    .filter((key) => !Object.hasOwn(want, key))
    .flatMap((key) => one(below(key), kindAt(below(key), 'shape'), ABSENT, got[key]));
  return [...wanted, ...extra];
};

const listDifferences = (want: unknown[], got: unknown[], path: string): Difference[] => [
  ...(want.length === got.length ? [] : one(`${path}.length`, 'shape', want.length, got.length)),
  ...want.slice(0, got.length).flatMap((item, index) => differences(item, got[index], `${path}.${index}`)),
];

/** What differs between an expectation and a normalised answer, with the place and the kind of each difference. */
export const differences = (want: unknown, got: unknown, path = ''): Difference[] => {
  if (isRecord(want)) {
    const matched = matcher(want, got, path);
    if (matched !== undefined) return matched;
    if (isRecord(got)) return recordDifferences(want, got, path);
  }
  if (Array.isArray(want) && Array.isArray(got)) return listDifferences(want, got, path);
  if (want === got) return [];
  const kind = kindAt(path, 'value');
  const wording = kind === 'text' && typeof want === 'string' && typeof got === 'string';
  return one(path, kind === 'text' && !wording ? 'value' : kind, want, got);
};

const pick = (answer: Normalised, keys: readonly string[]): Partial<Normalised> =>
  Object.fromEntries(Object.entries(answer).filter(([key]) => keys.includes(key)));

const correctedAnswer = ({ status, headers, body, text }: Expected): Expected =>
  Object.fromEntries(Object.entries({ status, headers, body, text }).filter(([, value]) => value !== undefined));

/**
 * A step against its `corrected` answer where it has one, else against the recorded one. Where the recorded server
 * failed with a 5xx and nothing corrects it, any refusal will do. Wordings of human texts are forgiven, a null in
 * place of a text is not.
 */
export const stepDifferences = (step: Step, got: Normalised): Difference[] => {
  const { corrected, expect } = step;
  if (corrected !== undefined) {
    const want = correctedAnswer(corrected);
    const seen = corrected.partial ? pick(got, Object.keys(want)) : got;
    return strict(differences(want, seen));
  }
  if (expect === undefined) return [];
  if ((expect.status ?? 0) >= 500) return got.status >= 400 ? [] : one('status', 'status', '4xx or 5xx', got.status);
  return strict(differences(expect, got));
};

const strict = (found: readonly Difference[]): Difference[] => found.filter(({ kind }) => kind !== 'text');
