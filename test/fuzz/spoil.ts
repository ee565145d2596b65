/** Good bodies made bad: inside, or as bytes. */
import fc from 'fast-check';
import { anyJson, oddTexts } from './words';

/** One place of a value replaced by another value, or by a key that nobody expects. */
export function spoiledJson(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(good, fc.nat(), anyJson, oddTexts, fc.nat(3)).map(([value, at, other, key, how]) => {
    const places = placesIn(value);
    const place = places[at % places.length] ?? [];
    if (how === 0) return replaced(value, [...place, key], other);
    if (how === 1 && place.length > 0) return replaced(value, place, undefined);
    return replaced(value, place, other);
  });
}

type Place = readonly string[];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function placesIn(value: unknown, at: Place = []): Place[] {
  if (!isRecord(value) || at.length > 4) return [at];
  return [at, ...Object.keys(value).flatMap((key) => placesIn(value[key], [...at, key]))];
}

/** Undefined takes the key away. What is no object at the place becomes one. */
function replaced(value: unknown, [key, ...rest]: Place, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) {
    const items: unknown[] = [...(value as unknown[])];
    items[Number(key) || 0] = replaced(items[Number(key) || 0], rest, other);
    return items;
  }
  const entries = Object.entries(isRecord(value) ? value : {}).filter(([name]) => name !== key);
  const inner = replaced(isRecord(value) && Object.hasOwn(value, key) ? value[key] : {}, rest, other);
  // As entries: a key such as __proto__ must become one, not the prototype.
  return Object.fromEntries(inner === undefined ? entries : [...entries, [key, inner]]);
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** The body as bytes, now and then not those of JSON. */
export function bytesOf(json: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const text = json.map((value) => JSON.stringify(value) ?? '');
  return fc.oneof(
    { arbitrary: text.map((one) => Buffer.from(one)), weight: 24 },
    text.map((one) => Buffer.from(one.slice(0, one.length / 2))),
    text.map((one) => Buffer.from(`\ufeff${one}`)),
    text.map(utf16),
    text.map((one) => Buffer.from(one, 'latin1')),
    text.map((one) => Buffer.from(`${one}${one}`)),
    text.map((one) => Buffer.from(one.replace(/^\{/, '{"uuid":1,"uuid":null,"name":[],"target":{},'))),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        '',
        ' ',
        'null',
        '[]',
        '{}',
        '0',
        '"text"',
        'NaN',
        '{"a":1e999}',
        '{"a":01}',
        "{'a':1}",
        '{"a":"\\ud800"}',
        '[' + ']',
      )
      .map((one) => Buffer.from(one)),
    fc.integer({ min: 20, max: 3_000 }).map((depth) => Buffer.from('[{"a":'.repeat(depth))),
    fc.integer({ min: 20, max: 60 }).map((depth) => Buffer.from(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
  );
}

/** Just below and above the limits of a body. Seldom: they are long. */
export const longBodies: fc.Arbitrary<Buffer> = fc
  .constantFrom(1024 * 1024 - 20, 1024 * 1024 + 1, 3 * 1024 * 1024)
  .map((length) => Buffer.from(`{"extra":{"a":"${'z'.repeat(length - 17)}"}}`));
