import { isObject, type JsonObject } from '../json';
import { invalid } from '../refusal';
import { parseNetwork } from '../addresses';
import { conditionChecks, conditionHolds, type Fields, type RuleCondition, splitField } from './conditions';

export interface RuleAction extends JsonObject {
  readonly action: string;
}

export interface IntrospectionRule {
  readonly uuid: string;
  readonly description: string | null;
  readonly scope: string | null;
  readonly conditions: readonly RuleCondition[];
  readonly actions: readonly RuleAction[];
}

/** Parameters of each action: required, optional (contract: inspector-api.md §3.8). */
const actionParams: Readonly<Record<string, readonly [required: readonly string[], optional: readonly string[]]>> = {
  fail: [['message'], []],
  'set-attribute': [['path', 'value'], ['reset_interfaces']],
  'set-capability': [['name'], ['value']],
  'extend-attribute': [['path', 'value'], ['unique']],
  'add-trait': [['name'], []],
  'remove-trait': [['name'], []],
};

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: unknown): text is string => typeof text === 'string' && uuidPattern.test(text);

const checkKeys = (what: string, given: JsonObject, required: readonly string[], optional: readonly string[]): void => {
  const missing = required.filter((key) => !Object.hasOwn(given, key));
  if (missing.length > 0) throw invalid(`${what}: ${missing.join(', ')} missing`);
  const unknown = Object.keys(given).filter((key) => !required.includes(key) && !optional.includes(key));
  if (unknown.length > 0) throw invalid(`${what}: unknown parameter ${unknown.join(', ')}`);
};

const checkValue = (op: string, value: unknown): void => {
  if (op === 'in-net' && parseNetwork(String(value)) === null)
    throw invalid(`in-net: "${String(value)}" is no network`);
  if (op !== 'matches' && op !== 'contains') return;
  try {
    new RegExp(String(value));
  } catch {
    throw invalid(`${op}: "${String(value)}" is no regular expression`);
  }
};

const parseCondition = (entry: unknown): RuleCondition => {
  if (!isObject(entry)) throw invalid('A condition must be an object');
  const op = entry['op'];
  if (typeof op !== 'string' || !Object.hasOwn(conditionChecks, op)) throw invalid(`Unknown condition "${String(op)}"`);
  const field = entry['field'];
  if (typeof field !== 'string' || field === '') throw invalid(`Condition ${op}: field must be a text`);
  const { scheme, steps } = splitField(field);
  if (!['data', 'node'].includes(scheme) || steps === null) throw invalid(`Condition ${op}: bad field "${field}"`);
  checkKeys(`Condition ${op}`, entry, op === 'is-empty' ? ['op', 'field'] : ['op', 'field', 'value'], [
    'multiple',
    'invert',
  ]);
  checkValue(op, entry['value']);
  const { multiple = 'any', invert = false } = entry;
  if (multiple !== 'any' && multiple !== 'all' && multiple !== 'first')
    throw invalid(`Condition ${op}: bad "multiple"`);
  if (typeof invert !== 'boolean') throw invalid(`Condition ${op}: "invert" must be a boolean`);
  return { ...entry, op, field, multiple, invert };
};

const parseAction = (entry: unknown): RuleAction => {
  if (!isObject(entry)) throw invalid('An action must be an object');
  const action = entry['action'];
  const params = typeof action === 'string' && Object.hasOwn(actionParams, action) ? actionParams[action] : undefined;
  if (typeof action !== 'string' || !params) throw invalid(`Unknown action "${String(action)}"`);
  checkKeys(`Action ${action}`, entry, ['action', ...params[0]], params[1]);
  const path = entry['path'];
  if (path !== undefined && (typeof path !== 'string' || !path.startsWith('/'))) {
    throw invalid(`Action ${action}: path must start with a slash`);
  }
  return { ...entry, action };
};

const textOrNull = (body: JsonObject, key: string): string | null => {
  const value = body[key] ?? null;
  if (value !== null && typeof value !== 'string') throw invalid(`${key} must be a text`);
  if (value !== null && value.length > 255) throw invalid(`${key} is longer than 255 characters`);
  return value;
};

/**
 * The body of POST /v1/rules as a rule; `newUuid` is taken when it names none.
 * @throws InspectorRefusal INVALID naming what is wrong.
 */
export const parseRule = (body: unknown, newUuid: string): IntrospectionRule => {
  if (!isObject(body)) throw invalid('A rule must be a JSON object');
  checkKeys('Rule', body, ['actions'], ['uuid', 'description', 'scope', 'conditions']);
  const uuid = body['uuid'] ?? newUuid;
  if (!isUuid(uuid)) throw invalid(`"${String(uuid)}" is not a UUID`);
  const { actions, conditions = [] } = body;
  if (!Array.isArray(actions) || actions.length === 0) throw invalid('A rule needs at least one action');
  if (!Array.isArray(conditions)) throw invalid('conditions must be a list');
  return {
    uuid,
    description: textOrNull(body, 'description'),
    scope: textOrNull(body, 'scope'),
    conditions: conditions.map(parseCondition),
    actions: actions.map(parseAction),
  };
};

/** Rules that apply: scope and all conditions, judged before any action runs (inspector-api.md §3.8). */
export const applicableRules = (rules: readonly IntrospectionRule[], fields: Fields): IntrospectionRule[] => {
  const properties = isObject(fields.node['properties']) ? fields.node['properties'] : {};
  return rules
    .filter((rule) => rule.scope === null || rule.scope === properties['inspection_scope'])
    .filter((rule) => rule.conditions.every((condition) => conditionHolds(condition, fields)));
};
