/** Steps of cleaning, service and deployment as clients write them. contract: node-api.md §10 */
import { closed, flag, free, listOf, oneOf, text, uuid, type JsonSchema } from './json-schema';

const step = {
  interface: oneOf(['vendor', 'power', 'management', 'firmware', 'deploy', 'bios', 'raid']),
  step: { ...text, minLength: 1 },
  args: free,
};

/** Digits are taken for a number. */
const count: JsonSchema = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^[0-9]+$' },
  ],
};

const ordered = closed(
  { ...step, order: count, execute_on_child_nodes: flag, limit_child_node_execution: listOf(uuid) },
  ['args', 'order', 'execute_on_child_nodes', 'limit_child_node_execution'],
);

export const orderedSteps = listOf(ordered);
export const deploySteps = listOf(closed({ ...step, priority: count }));
export const runbookSteps = listOf(closed({ ...step, order: count }, ['args']));
