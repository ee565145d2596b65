/** Equality of JSON values: the order of keys says nothing, a key that is undefined is absent, as on the wire. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => sameJson(item, other[at]))
    );
  }
  const [mine, theirs] = [new Map(present(one)), new Map(present(other))];
  return (
    mine.size === theirs.size && [...mine].every(([key, value]) => theirs.has(key) && sameJson(value, theirs.get(key)))
  );
}

const present = (object: object): readonly (readonly [string, unknown])[] =>
  Object.entries(object).filter(([, value]) => value !== undefined);
