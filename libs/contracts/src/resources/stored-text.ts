/**
 * A resource's document as the read model keeps it: JSON text whose members stand in the order of the version gates, and
 * before them a table of where each begins. A version is then a prefix of the text and `fields` a choice of slices: an answer
 * is cut out of it without parsing. Values are as they are shown, but for secrets, which the read model keeps sealed and the
 * table marks.
 */
import { maskSecrets } from '@lib/domain';
import type { Field } from './field';

type Document = Readonly<Record<string, unknown>>;

/** What the texts of a resource have in common. */
export interface StoredLayout {
  /** The members in their order: all fields but those that are computed at reading. */
  readonly fields: readonly Field[];
  readonly placeOf: ReadonlyMap<string, number>;
  /** Places of the fields that may hold secrets. */
  readonly masked: readonly number[];
  /** What a text begins with that has this layout. */
  readonly head: string;
}

const RADIX = 36;
/** Of the offsets in a table: enough for any text. */
const DIGITS = 6;
const SECRET = '*';
const PLAIN = '.';

const layouts = new WeakMap<readonly Field[], StoredLayout>();

export function storedLayout(fields: readonly Field[]): StoredLayout {
  const known = layouts.get(fields) ?? layoutOf(fields);
  layouts.set(fields, known);
  return known;
}

function layoutOf(all: readonly Field[]): StoredLayout {
  const fields = all.filter(({ computed }) => !computed);
  const masked = fields.flatMap((field, place) => (field.masked ? [place] : []));
  const names = fields.map(({ name, masked: hides }) => `${name}${hides ? SECRET : ''}`).join();
  return {
    fields,
    placeOf: new Map(fields.map(({ name }, place) => [name, place])),
    masked,
    head: `{"_layout":"${fingerprint(names)}","_at":"`,
  };
}

/** FNV-1a: tells the layouts of two releases apart, nothing more. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(RADIX).padStart(7, '0');
}

/** An unset field as it is shown. A nullable boolean that was emptied reads null, one that was never stored its default. */
function shownValue(document: Document, { name, nullable, type, empty }: Field): unknown {
  const value = document[name];
  if (value !== undefined && value !== null) return value;
  return nullable && type === 'boolean' && value === null ? null : empty;
}

/** The text of a document. Members that are no fields follow behind them, for the server's own use. */
export function storedText(all: readonly Field[], document: Document): string {
  const layout = storedLayout(all);
  let at = '';
  let secrets = '';
  let members = '';
  for (const field of layout.fields) {
    const value = shownValue(document, field);
    const text = jsonText(value);
    at += digitsOf(members.length);
    if (field.masked) secrets += hidesIn(field, value, text) ? SECRET : PLAIN;
    members += `"${field.name}":${text},`;
  }
  at += digitsOf(members.length);
  const others = Object.keys(document).filter((name) => !layout.placeOf.has(name) && !own.has(name));
  const rest = others.map((name) => `${JSON.stringify(name)}:${JSON.stringify(document[name])},`).join('');
  return `${layout.head}${at}${secrets}",${members}${rest}`.slice(0, -1) + '}';
}

/** What the text has beside the members of a document. */
const own: ReadonlySet<string> = new Set(['_layout', '_at']);

/** With what fields a text was written, null for a text without layout. */
export const layoutOfText = (json: string): string | null => /^\{"_layout":"(\w+)"/.exec(json)?.[1] ?? null;

/** A document without what describes its text. */
export const withoutLayout = (document: Document): Document =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !own.has(name)));

/** Most fields are empty: what can be told without the serializer is. */
const jsonText = (value: unknown): string =>
  value === null ? 'null' : value === true ? 'true' : value === false ? 'false' : JSON.stringify(value);

/** All pairs of digits. */
const pairs = Array.from({ length: RADIX ** 2 }, (_, n) => n.toString(RADIX).padStart(2, '0'));

const pairOf = (n: number): string => pairs[n % RADIX ** 2] ?? '';

const digitsOf = (offset: number): string =>
  pairOf(Math.floor(offset / RADIX ** 4)) + pairOf(Math.floor(offset / RADIX ** 2)) + pairOf(offset);

const hidesIn = ({ name }: Field, value: unknown, text: string): boolean =>
  text !== '{}' && text !== 'null' && text !== '[]' && JSON.stringify(maskSecrets(name, value)) !== text;

/** One stored text, to be cut. */
export class StoredSlices {
  private readonly members: number;

  private constructor(
    private readonly text: string,
    private readonly layout: StoredLayout,
  ) {
    this.members = layout.head.length + (layout.fields.length + 1) * DIGITS + layout.masked.length + '",'.length;
  }

  /** A text of another release's layout is laid out anew. */
  static of(all: readonly Field[], json: string): StoredSlices {
    const layout = storedLayout(all);
    const text = json.startsWith(layout.head) ? json : storedText(all, JSON.parse(json) as Document);
    return new StoredSlices(text, layout);
  }

  /** Members `from` to before `to`, with commas between them. */
  run(from: number, to: number): string {
    return this.text.slice(this.begin(from), this.begin(to) - 1);
  }

  /** Whether something in the n-th of the masked fields is not to be shown. */
  hides(nth: number): boolean {
    const flags = this.layout.head.length + (this.layout.fields.length + 1) * DIGITS;
    return this.text[flags + nth] === SECRET;
  }

  value(name: string): unknown {
    const place = this.layout.placeOf.get(name);
    if (place === undefined) return undefined;
    const member = this.run(place, place + 1);
    // Behind the quoted name and its colon; names of fields need no escapes.
    return JSON.parse(member.slice(name.length + 3));
  }

  private begin(place: number): number {
    const from = this.layout.head.length + place * DIGITS;
    return this.members + Number.parseInt(this.text.slice(from, from + DIGITS), RADIX);
  }
}
