const secretName = /passw|secret|token|credential|private.?key|master.?key|authorization|cookie/i;
/** The names that logs use are few, and asked for with every line. */
const judged = new Map<string, boolean>();
const JUDGED_MAX = 10_000;
const HIDDEN = '******';
const DEPTH_MAX = 8;

/** A copy for the log: what has a secret's name is hidden, errors become their words and stack. */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return copy(fields, 0) as Record<string, unknown>;
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MAX) return '[deeper]';
  if (value instanceof Error) return ofError(value, depth);
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
  const shown: Record<string, unknown> = {};
  // Defined, not assigned: `__proto__` is a name like any other.
  for (const [name, item] of Object.entries(value)) {
    const text = isSecret(name) ? HIDDEN : copy(item, depth + 1);
    if (name === '__proto__') Object.defineProperty(shown, name, { value: text, enumerable: true });
    else shown[name] = text;
  }
  return shown;
}

function isSecret(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const secret = secretName.test(name);
  if (judged.size < JUDGED_MAX) judged.set(name, secret);
  return secret;
}

/** Of an error only what it says: its other fields may carry the values of a failed query. */
function ofError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause === undefined ? {} : { cause: copy(cause, depth + 1) }) };
}
