import { checkFieldValue, nodeFields, portFields } from '@lib/contracts';
import { Refusal, carryOut, maskSecrets, noPortWishes, portDefaults } from '@lib/domain';
import type {
  EffectValue,
  InspectionRule,
  JsonObject,
  Node,
  NodeFields,
  PortWishes,
  RulePort,
  RuleSettings,
} from '@lib/domain';
import type { Call, Logger } from '@lib/ports';
import type { ConductorOptions } from '../handle-command';
import { lookUpPorts } from '../process-inspection';
import type { Hooked, PortReading } from '../process-inspection';
import { changedNode } from './changed-node';
import { makeCalls } from './make-calls';
import type { CallDeps } from './make-calls';
import { rulesInForce } from './rules-in-force';
import type { RulesReading } from './rules-in-force';

export interface RulesDeps extends CallDeps {
  readonly readModel: RulesReading['readModel'] & PortReading['readModel'];
  readonly reader: PortReading['reader'];
  readonly box: RulesReading['box'];
  readonly logger: Logger;
  readonly options: ConductorOptions;
}

/** What the rules made of it. */
export interface Ruled {
  readonly value: Pick<EffectValue, 'ruledFields' | 'keyId' | 'traits'>;
  readonly pluginData: JsonObject;
  readonly edits: PortWishes['edits'];
}

const fieldsOf = { node: nodeFields, port: portFields } as const;

const checked = (kind: 'node' | 'port', name: string, value: unknown) => {
  const field = fieldsOf[kind].find((one) => one.name === name);
  return field ? checkFieldValue(field, value) : { problem: 'there is no such field' };
};

const problemOf: RuleSettings['problemOf'] = (kind, name, value) => {
  const answer = checked(kind, name, value);
  return 'problem' in answer ? answer.problem : null;
};

/** Texts that templates were filled into become what the field holds: `True` a boolean. */
function typedEdits(edits: PortWishes['edits']): PortWishes['edits'] {
  const typed = (name: string, value: unknown): unknown => {
    const answer = checked('port', name, value);
    return 'value' in answer ? answer.value : value;
  };
  const entries = [...edits].map(([address, fields]): [string, JsonObject] => [
    address,
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typed(name, value)])),
  ]);
  return new Map(entries);
}

/** What a rule may read of the node beside its fields. */
const factsOf = (node: Node): JsonObject => ({
  uuid: node.uuid,
  provision_state: node.provisionState,
  target_provision_state: node.targetProvisionState,
  power_state: node.powerState,
  target_power_state: node.targetPowerState,
  last_error: node.lastError,
  driver_internal_info: maskSecrets('driver_internal_info', node.driverInternalInfo),
});

const looksAtPorts = ({ actions }: InspectionRule): boolean => actions.some(({ op }) => op.includes('-port-'));

/** The ports as they will be, those that are made along included. */
async function portsAfterHooks(node: Node, { nics, facts }: Hooked, deps: RulesDeps): Promise<readonly RulePort[]> {
  const wishes = { ...noPortWishes, nics, facts };
  const { own, changes } = await lookUpPorts(node.uuid, wishes, deps.options.inspection.hookOptions, deps);
  const changed = new Map(changes.change.map((port) => [port.uuid, port]));
  return [
    ...own.filter(({ uuid }) => !changes.remove.includes(uuid)).map((port) => changed.get(port.uuid) ?? port),
    ...changes.create.map((port) => ({ ...portDefaults, ...port, uuid: null, node_uuid: node.uuid })),
  ];
}

/**
 * Rules of the API and of the settings over a machine's data (contract: inspection.md §12.2). Nothing is written: what they
 * want goes with the outcome of the effect. Rejects with the reason why the inspection fails.
 */
export async function runInspectionRules(node: Node, hooked: Hooked, call: Call, deps: RulesDeps): Promise<Ruled> {
  const { inspection } = deps.options;
  const rules = await rulesInForce(inspection.builtInRules, deps);
  if (rules.length === 0) return { value: {}, pluginData: hooked.pluginData, edits: noPortWishes.edits };
  const fields: NodeFields = { ...node.fields, properties: { ...node.fields.properties, ...hooked.properties } };
  const ports = rules.some(looksAtPorts) ? await portsAfterHooks(node, hooked, deps) : [];
  const { inventory, pluginData } = hooked;
  const ground = { fields, facts: factsOf(node), traits: node.traits, ports, inventory, pluginData };
  const outcome = carryOut(rules, ground, { maskSecrets: inspection.maskSecrets, problemOf });
  for (const { level, text } of outcome.notes) deps.logger[level]({ node: node.uuid }, text);
  await makeCalls(outcome.calls, call, deps);
  if (outcome.failure !== null) throw new Error(outcome.failure);
  return {
    value: {
      ...(await changedByRules(node, outcome.changes, deps)),
      ...(outcome.traits ? { traits: outcome.traits } : {}),
    },
    pluginData: outcome.pluginData,
    edits: typedEdits(outcome.ports),
  };
}

async function changedByRules(node: Node, changes: Parameters<typeof changedNode>[1], { options, box }: RulesDeps) {
  try {
    return await changedNode(node, changes, options, box);
  } catch (error) {
    if (error instanceof Refusal)
      throw new Error(`what the inspection rules want is refused: ${error.message}`, { cause: error });
    throw error;
  }
}
