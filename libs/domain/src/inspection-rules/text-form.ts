/** Values as texts, in the spelling that rules are written for: Python's. */
export function textForm(value: unknown): string {
  return typeof value === 'string' ? value : inner(value);
}

function inner(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).map(([key, member]) => `${quoted(key)}: ${inner(member)}`);
  return `{${members.join(', ')}}`;
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const plain = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  return `${quote}${quote === "'" ? plain.replaceAll("'", "\\'") : plain}${quote}`;
}
