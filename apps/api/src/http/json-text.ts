/** JSON as it arrives. What could only be stored as something else than the client sent is refused. */
export type ParsedJson = { readonly value: unknown } | { readonly problem: string };

/** `problem` goes on after "The request body". */
export function parseJson(body: Uint8Array): ParsedJson {
  const text = utf8(body);
  if (text === null) return { problem: 'is not valid UTF-8' };
  const value = parsed(text);
  if (value === undefined) return { problem: 'is not valid JSON' };
  if (MAY_OVERFLOW.test(text) && holdsInfinity(value)) return { problem: 'holds a number that is too large' };
  return { value };
}

/** A byte that is no UTF-8 would become U+FFFD. The mark of byte order stays and is no JSON. */
function utf8(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Only such texts can hold a number beyond 1.8e308, which would be read as Infinity and stored as null. */
const MAY_OVERFLOW = /[0-9][eE]\+?[0-9]{2}|[0-9]{300}/;

function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsInfinity);
}
