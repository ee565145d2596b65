/** `k:v,k2:v2` as a map, or what is wrong with it. */
export function parseCapabilities(text: unknown): Map<string, string> | string {
  if (text === undefined || text === null || text === '') return new Map();
  const parts = String(text).split(',');
  const odd = parts.find((part) => !part.includes(':'));
  if (typeof text !== 'string' || odd !== undefined) {
    return `the capabilities are not of the form key:value,key:value (${JSON.stringify(odd ?? text)})`;
  }
  return new Map(
    parts.map((part) => {
      const colon = part.indexOf(':');
      return [part.slice(0, colon).trim(), part.slice(colon + 1).trim()] as const;
    }),
  );
}

/** The properties with these capabilities set, others kept where they are; a text says what is wrong with those. */
export function withCapabilities(
  properties: Readonly<Record<string, unknown>>,
  added: readonly (readonly [name: string, value: string])[],
): string | { readonly capabilities: string } {
  const before = parseCapabilities(properties['capabilities']);
  if (typeof before === 'string') return before;
  const after = new Map([...before, ...added]);
  return { capabilities: [...after].map(([name, value]) => `${name}:${value}`).join(',') };
}
