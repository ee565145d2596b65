import { sameJson } from '../json';
import type { JsonObject, NodeFields } from '../node/fields';
import { acted } from './actions';
import type { Progress } from './actions';
import { filledArguments, itemsOf } from './arguments';
import { conditionHolds } from './conditions';
import { maskedData, maskedNode } from './masked';
import { actionOps } from './shapes';
import type { Sight } from './template';
import { RuleFailure } from './types';
import type { FieldChange, InspectionRule, RuleGround, RuleItem, RulePort, RuleSettings, RulesOutcome } from './types';

const QUOTED_CHARS_MAX = 200;

/** The highest priority first; equal ones stay in the order in which they came (contract: inspection.md §12.2). */
const inOrder = (rules: readonly InspectionRule[]): readonly InspectionRule[] =>
  [...rules].sort((one, other) => other.priority - one.priority);

/** A run over one machine's data: what rules see is masked anew only where it has changed. */
class Run {
  private progress: Progress;
  private readonly masks = new WeakMap<object, unknown>();

  constructor(
    private readonly ground: RuleGround,
    private readonly settings: RuleSettings,
  ) {
    const { fields, traits, ports, pluginData } = ground;
    this.progress = { fields, traits, ports, pluginData, calls: [], notes: [] };
  }

  /** A rule whose conditions hold is carried out at once, so that the next one sees what it did. */
  apply(rule: InspectionRule): void {
    const unresolved = this.unresolved(rule);
    if (!rule.conditions.every((item) => conditionHolds(item, this.sight(rule), unresolved))) return;
    for (const item of rule.actions) this.act(rule, item, unresolved);
  }

  outcome(failure: string | null): RulesOutcome {
    const { fields, traits, ports, pluginData, calls, notes } = this.progress;
    return {
      failure,
      calls,
      notes,
      changes: fieldChanges(this.ground.fields, fields),
      traits: sameJson(traits, this.ground.traits) ? null : traits,
      ports: portChanges(this.ground.ports, ports),
      pluginData,
    };
  }

  private act(rule: InspectionRule, item: RuleItem, unresolved: (text: string) => unknown): void {
    const shape = actionOps[item.op];
    if (!shape) throw new RuleFailure(`unknown action ${item.op}`);
    for (const each of itemsOf(item)) {
      const sight = this.sight(rule);
      const args = filledArguments(item, shape, item.loop === undefined ? sight : { ...sight, item: each }, unresolved);
      this.progress = acted(item.op, args, this.progress, { rule: rule.name, settings: this.settings });
    }
  }

  private sight({ sensitive }: InspectionRule): Sight {
    const { fields, traits, pluginData } = this.progress;
    const { maskSecrets } = this.settings;
    const masks = maskSecrets === 'always' || (maskSecrets === 'sensitive' && !sensitive);
    const data = (value: object): unknown => (masks ? this.maskedOnce(value) : value);
    const { facts, inventory } = this.ground;
    return {
      node: maskedNode(fields as NodeFields, facts, traits),
      inventory: data(inventory),
      plugin_data: data(pluginData),
    };
  }

  private maskedOnce(value: object): unknown {
    if (!this.masks.has(value)) this.masks.set(value, maskedData(value));
    return this.masks.get(value);
  }

  /** The text stays as it is (contract: inspection.md §12.2); one of a sensitive rule is quoted nowhere. */
  private unresolved({ name, sensitive }: InspectionRule): (text: string) => unknown {
    return (text) => {
      const what = sensitive ? 'a text' : JSON.stringify(text.slice(0, QUOTED_CHARS_MAX));
      const note = { level: 'warn', text: `${name}: ${what} can not be filled in and stays as it is` } as const;
      this.progress = { ...this.progress, notes: [...this.progress.notes, note] };
      return text;
    };
  }
}

function fieldChanges(before: NodeFields, after: Partial<NodeFields>): FieldChange[] {
  const changed = Object.entries(after).filter(([field, value]) => !sameJson(value, before[field as keyof NodeFields]));
  return changed.map(([field, value]) =>
    value === undefined ? { op: 'remove', path: `/${field}` } : { op: 'replace', path: `/${field}`, value },
  );
}

function portChanges(before: readonly RulePort[], after: readonly RulePort[]): ReadonlyMap<string, JsonObject> {
  const changes = after.map((port, at): readonly [string, JsonObject] => {
    const old: JsonObject = { ...before[at] };
    return [
      port.address,
      Object.fromEntries(Object.entries(port).filter(([key, value]) => !sameJson(value, old[key]))),
    ];
  });
  return new Map(changes.filter(([, fields]) => Object.keys(fields).length > 0));
}

/**
 * Carries rules out over what the hooks left (contract: inspection.md §12.2). Nothing is done here: the outcome says what is to
 * be written and which calls are to be made. The first rule that fails ends it, by its name.
 */
export function carryOut(rules: readonly InspectionRule[], ground: RuleGround, settings: RuleSettings): RulesOutcome {
  const run = new Run(ground, settings);
  for (const rule of inOrder(rules)) {
    try {
      run.apply(rule);
    } catch (error) {
      if (!(error instanceof RuleFailure)) throw error;
      return run.outcome(`${rule.name}: ${error.message}`);
    }
  }
  return run.outcome(null);
}
