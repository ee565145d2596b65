import { Refusal } from '../refusal';
import { checkRule } from './check';
import type { InspectionRule, RuleItem } from './types';

type JsonObject = Readonly<Record<string, unknown>>;

const fieldsOfRule = ['uuid', 'description', 'priority', 'sensitive', 'phase', 'conditions', 'actions'] as const;

/** As messages call a rule. */
export const ruleName = (uuid: unknown, description: unknown): string =>
  typeof description === 'string' && description !== ''
    ? `inspection rule ${String(uuid)} (${description})`
    : `inspection rule ${String(uuid)}`;

/** A rule whose document was checked when it was written. */
export const ruleOf = (document: JsonObject, uuid = document['uuid']): InspectionRule => ({
  name: ruleName(uuid, document['description']),
  priority: Number(document['priority'] ?? 0),
  sensitive: document['sensitive'] === true,
  conditions: (document['conditions'] ?? []) as readonly RuleItem[],
  actions: document['actions'] as readonly RuleItem[],
});

function builtIn(entry: unknown, index: number): InspectionRule | string {
  const place = `rule ${index + 1}`;
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return `${place} is no mapping`;
  const rule = entry as JsonObject;
  const foreign = Object.keys(rule).find((key) => !(fieldsOfRule as readonly string[]).includes(key));
  if (foreign !== undefined) return `${place} has the unknown field ${foreign}; known are ${fieldsOfRule.join(', ')}`;
  const { priority = 0, sensitive = false, phase = 'main', description = null, uuid = `built-in ${index + 1}` } = rule;
  if (!Number.isInteger(priority)) return `${place}: the priority is no whole number`;
  if (typeof sensitive !== 'boolean') return `${place}: sensitive is neither true nor false`;
  if (phase !== 'main' && phase !== null) return `${place}: the phase is not main`;
  if (typeof uuid !== 'string') return `${place}: the uuid is no text`;
  if (description !== null && typeof description !== 'string') return `${place}: the description is no text`;
  const document = { ...rule, conditions: rule['conditions'] ?? [] };
  try {
    checkRule(document);
  } catch (error) {
    if (error instanceof Refusal) return `${place}: ${error.message}`;
    throw error;
  }
  return ruleOf(document, uuid);
}

/** The content of a file of built-in rules, or what is wrong with it (contract: config.md [inspection_rules]). */
export function builtInRules(content: unknown): readonly InspectionRule[] | string {
  if (!Array.isArray(content)) return 'it holds no list of rules';
  const rules = content.map(builtIn);
  const problem = rules.find((rule) => typeof rule === 'string');
  return problem ?? (rules as readonly InspectionRule[]);
}
