/** Every kind of resource with the names of its schemas, and the schemas themselves, from its declaration. */
import { allocationStates, faults, healthValues, provisionStates } from '@lib/domain';
import {
  conductorFields,
  driverFields,
  driverListFields,
  historyFields,
  historySummaryFields,
  nodeFields,
  nodeStatesFields,
  plainKinds,
  plainResources,
  shownStates,
  type Field,
  type PlainKind,
} from '../resources';
import { creation, patchOf, sentSchema, shownProperties, type Shown } from './fields';
import { closed, free, listOf, oneOf, orNull, partOf, ref, text, type JsonSchema } from './json-schema';
import { deploySteps, runbookSteps } from './steps';

type Schemas = Record<string, JsonSchema>;

/** Provision states as a version shows them. */
function stateSchema(minor: number): JsonSchema {
  const rules = shownStates.filter(({ below }) => minor < below);
  return oneOf([
    ...new Set(provisionStates.map((state) => rules.find(({ real }) => real === state)?.shown ?? shown(state, rules))),
  ]);
}

const shown = (state: string, rules: typeof shownStates): string | null =>
  rules.some(({ real }) => real === state) ? null : state;

const texts = listOf(text);
const traits = (): JsonSchema => texts;

const nodeShown: Shown = {
  provision_state: stateSchema,
  fault: () => orNull(oneOf(faults)),
  health: () => oneOf(healthValues),
  traits,
};

/** What hides behind `sensitive` is null. */
const hidden = (): JsonSchema => orNull(listOf(free));
const steps = (): JsonSchema => listOf(free);

const plainShown: Readonly<Partial<Record<PlainKind, Shown>>> = {
  // A list in a list: a historical accident of the contract.
  chassis: { nodes: () => listOf(ref('Links')) },
  allocation: { state: () => oneOf(allocationStates), traits, candidate_nodes: traits },
  deploy_template: { steps },
  runbook: { steps, traits },
  inspection_rule: { conditions: hidden, actions: hidden },
};

/** As the schemas of the kind are called: `DeployTemplate`. */
export const schemaName = (kind: PlainKind): string => plainResources[kind].concept;

/** All of it, and what is left of it when `fields` chooses. */
function renderings(name: string, fields: readonly Field[], minor: number, special?: Shown): Schemas {
  const properties = shownProperties(fields, minor, special);
  return { [name]: closed(properties), [`${name}Fields`]: partOf(properties, ['links']) };
}

const rules = { actions: listOf(partOf({ op: text, args: free, loop: {} }, ['op'])) };

/** Values that clients send, where the type of the field does not tell what is inside. */
const sentInside: Readonly<Partial<Record<PlainKind, Readonly<Record<string, JsonSchema>>>>> = {
  deploy_template: { steps: deploySteps },
  runbook: { steps: runbookSteps },
  inspection_rule: rules,
};

/** Two kinds of bodies name a node otherwise than a field does. */
function creationOf(kind: PlainKind, minor: number): JsonSchema {
  const { fields } = plainResources[kind];
  if (kind === 'port')
    return creation(fields, minor, { node_ident: { ...text, description: 'Instead of node_uuid.' } });
  if (kind === 'allocation') return creation(fields, minor, { node: orNull(text) });
  return creation(fields, minor, sentInside[kind]);
}

function plainSchemas(kind: PlainKind, minor: number): Schemas {
  const { fields } = plainResources[kind];
  const name = schemaName(kind);
  return {
    ...renderings(name, fields, minor, plainShown[kind]),
    [`${name}Creation`]: creationOf(kind, minor),
    [`${name}Patch`]: patchOf(fields, minor),
  };
}

const nodeField = (name: string): Field | undefined => nodeFields.find((one) => one.name === name);

function states(minor: number): JsonSchema {
  const names = nodeStatesFields.filter(([, min]) => min <= minor).map(([name]) => name);
  const fields = names.flatMap((name) => nodeField(name) ?? []);
  return closed(shownProperties(fields, Infinity, { provision_state: () => stateSchema(minor) }));
}

function historySchemas(minor: number): Schemas {
  const properties = shownProperties(historyFields, minor);
  const summary = Object.entries(properties).filter(([name]) => historySummaryFields.has(name));
  return { HistoryEntry: closed(properties), HistorySummary: closed(Object.fromEntries(summary)) };
}

function driverSchemas(minor: number): Schemas {
  const properties = shownProperties(driverFields, minor, {
    hosts: traits,
    ...Object.fromEntries(
      driverFields.filter(({ type }) => type === 'list').map(({ name }) => [name, traits] as const),
    ),
  });
  const listed = Object.entries(properties).filter(([name]) => driverListFields.has(name));
  return {
    ...renderings('Driver', driverFields, minor),
    Driver: closed(properties),
    DriverItem: closed(Object.fromEntries(listed)),
  };
}

/** Every schema that has a name, at a version. */
export const resourceSchemas = (minor: number): Schemas => ({
  ...renderings('Node', nodeFields, minor, nodeShown),
  NodeCreation: creation(nodeFields, minor),
  NodePatch: patchOf(nodeFields, minor),
  NodeStates: states(minor),
  ...Object.assign({}, ...plainKinds.map((kind) => plainSchemas(kind, minor))),
  ...historySchemas(minor),
  ...driverSchemas(minor),
  ...renderings('Conductor', conductorFields, minor, { drivers: traits }),
});

/** What a client may send for one field of a node. */
export const sentNodeField = (name: string): JsonSchema => {
  const field = nodeField(name);
  if (field === undefined) throw new Error(`a node has no field ${name}`);
  return sentSchema(field);
};
