export interface OpShape {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Arguments in which templates are filled in outside of loops. */
  readonly filled: readonly string[];
}

type Shapes = Readonly<Record<string, OpShape>>;

const shape = (filled: readonly string[], required: readonly string[], ...optional: string[]): OpShape => ({
  filled,
  required,
  optional,
});

/** contract: other-resources.md §6, table of conditions. Positional arguments come in this order. */
export const conditionOps: Shapes = {
  eq: shape(['values'], ['values'], 'force_strings'),
  lt: shape(['values'], ['values'], 'force_strings'),
  gt: shape(['values'], ['values'], 'force_strings'),
  'is-empty': shape(['value'], ['value']),
  'in-net': shape(['address', 'subnet'], ['address', 'subnet']),
  matches: shape(['value'], ['value', 'regex']),
  contains: shape(['value'], ['value', 'regex']),
  'one-of': shape(['value', 'values'], ['value'], 'values'),
  'is-none': shape(['value'], ['value']),
  'is-true': shape(['value'], ['value']),
  'is-false': shape(['value'], ['value']),
};

/** contract: other-resources.md §6, table of actions */
export const actionOps: Shapes = {
  fail: shape(['msg'], ['msg']),
  log: shape(['msg'], ['msg'], 'level'),
  'set-attribute': shape(['value'], ['path', 'value']),
  'extend-attribute': shape(['value'], ['path', 'value'], 'unique'),
  'del-attribute': shape([], ['path']),
  'set-capability': shape(['value'], ['name', 'value']),
  'unset-capability': shape([], ['name']),
  'add-trait': shape([], ['name']),
  'remove-trait': shape([], ['name']),
  'set-plugin-data': shape(['value'], ['path', 'value']),
  'extend-plugin-data': shape(['value'], ['path', 'value'], 'unique'),
  'unset-plugin-data': shape([], ['path']),
  'set-port-attribute': shape(['value'], ['port_id', 'path', 'value']),
  'extend-port-attribute': shape(['value'], ['port_id', 'path', 'value'], 'unique'),
  'del-port-attribute': shape([], ['port_id', 'path']),
  'api-call': shape(['url'], ['url'], 'headers', 'proxies', 'timeout', 'retries', 'backoff_factor'),
};
