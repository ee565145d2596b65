import { withCapabilities } from '../hooks';
import { isObject, type JsonObject, textAt } from '../json';
import { invalid } from '../refusal';
import type { RuleAction } from './rule';
import { valuesAt } from './json-path';

/** What an action asks of the node. */
export type NodeChange =
  | { readonly kind: 'patch'; readonly path: string; readonly value: unknown; readonly resetInterfaces: boolean }
  | { readonly kind: 'add-trait'; readonly name: string }
  | { readonly kind: 'remove-trait'; readonly name: string };

const variable = /\{data((?:\[[^[\]{}]+\])+)\}/g;

/** `{data[a][b]}` inside texts, at any depth. @throws InspectorRefusal INVALID when the data has no such value. */
const filled = (value: unknown, data: JsonObject): unknown => {
  if (Array.isArray(value)) return value.map((item) => filled(item, data));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, data)]));
  if (typeof value !== 'string') return value;
  return value.replace(variable, (whole, keys: string) => {
    const [found] = valuesAt(data, keys.slice(1, -1).split(']['));
    if (found === undefined) throw invalid(`The data has no value for ${whole}`);
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
};

const stepsOf = (path: string): string[] =>
  path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const extended = (action: JsonObject, node: JsonObject, path: string): unknown[] => {
  const [current = []] = valuesAt(node, stepsOf(path));
  if (!Array.isArray(current)) throw invalid(`extend-attribute: ${path} is not a list`);
  const has = current.some((item) => JSON.stringify(item) === JSON.stringify(action['value']));
  return action['unique'] === true && has ? current : [...current, action['value']];
};

/**
 * The change one action asks for, seen from the node as it is now.
 * @throws InspectorRefusal INVALID: the action `fail`, or one that cannot be done.
 */
export const changeOf = (rawAction: RuleAction, node: JsonObject, data: JsonObject): NodeChange => {
  const action = filled(rawAction, data) as RuleAction;
  const [name, path] = [textAt(action, 'name') ?? '', textAt(action, 'path') ?? ''];
  switch (action.action) {
    case 'fail':
      throw invalid(String(action['message']));
    case 'set-attribute':
      return { kind: 'patch', path, value: action['value'], resetInterfaces: action['reset_interfaces'] === true };
    case 'extend-attribute':
      return { kind: 'patch', path, value: extended(action, node, path), resetInterfaces: false };
    case 'set-capability': {
      const properties = isObject(node['properties']) ? node['properties'] : {};
      const value = withCapabilities(properties['capabilities'], [[name, String(action['value'] ?? '')]]);
      return { kind: 'patch', path: '/properties/capabilities', value, resetInterfaces: false };
    }
    case 'add-trait':
    case 'remove-trait':
      return { kind: action.action, name };
    default:
      throw new Error(`a stored rule holds the unknown action ${action.action}`);
  }
};
