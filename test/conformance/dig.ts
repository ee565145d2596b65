/** The value at a dotted path (`nodes.0.uuid`); undefined where it is missing. */
export const dig = (value: unknown, dotted: string): unknown => {
  let here: unknown = value;
  for (const part of dotted.split('.')) {
    if (Array.isArray(here)) here = /^-?\d+$/.test(part) ? here.at(Number(part)) : undefined;
    else if (typeof here === 'object' && here !== null && Object.hasOwn(here, part)) {
      here = (here as Record<string, unknown>)[part];
    } else return undefined;
  }
  return here;
};

/** Removes a dotted path in place (`body.nodes.*.id`); `*` means every item of a list. */
export const drop = (value: unknown, dotted: string): void => {
  const dot = dotted.indexOf('.');
  const head = dot < 0 ? dotted : dotted.slice(0, dot);
  const rest = dot < 0 ? '' : dotted.slice(dot + 1);
  if (Array.isArray(value)) {
    const items = head === '*' ? value : value.slice(Number(head), Number(head) + 1);
    items.forEach((item) => drop(item, rest));
  } else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>;
    if (rest === '') delete record[head];
    else if (head in record) drop(record[head], rest);
  }
};

/** JSON text with sorted keys: equal values, equal texts. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? 'undefined';
