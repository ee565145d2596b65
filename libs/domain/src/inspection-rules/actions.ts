import type { JsonObject, NodeFields } from '../node/fields';
import { sameJson } from '../json';
import { portDefaults } from '../port';
import { Refusal } from '../refusal';
import { traitsAfter } from '../traits';
import type { TraitsChange } from '../traits';
import { plannedCall } from './api-call';
import { capabilitiesWith, capabilitiesWithout } from './capabilities';
import { GONE, changedAt, stepsOf, withoutAt } from './paths';
import { textForm } from './text-form';
import { RuleFailure } from './types';
import type { ApiCall, NoteLevel, RuleNote, RulePort, RuleSettings } from './types';

/** What a run has come to so far. Fields that take their default again are undefined. */
export interface Progress {
  readonly fields: Partial<NodeFields>;
  readonly traits: readonly string[];
  readonly ports: readonly RulePort[];
  readonly pluginData: JsonObject;
  readonly calls: readonly ApiCall[];
  readonly notes: readonly RuleNote[];
}

export interface Doing {
  readonly rule: string;
  readonly settings: RuleSettings;
}

type Action = (args: JsonObject, progress: Progress, doing: Doing) => Progress;

/** Fields of a node that a rule may not touch: what it is and whom it serves is decided elsewhere. */
const heldFields: ReadonlySet<string> = new Set([
  'instance_uuid',
  'chassis_uuid',
  'fault',
  'protected',
  'protected_reason',
]);
const portFields: ReadonlySet<string> = new Set([
  'extra',
  'pxe_enabled',
  'local_link_connection',
  'physical_network',
  'is_smartnic',
  'name',
  'description',
  'vendor',
  'category',
  'available_for_dynamic_portgroup',
]);

const levels: Readonly<Record<string, NoteLevel>> = {
  debug: 'debug',
  info: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
};

function checkedValue(kind: 'node' | 'port', field: string, value: unknown, { settings }: Doing): void {
  const problem = settings.problemOf(kind, field, value);
  if (problem !== null) throw new RuleFailure(`${field}: ${problem}`);
}

/** What becomes of a value, changed at these steps. */
type Edit = (value: unknown, steps: readonly string[]) => unknown;

function withAttribute(path: unknown, edit: Edit, progress: Progress, doing: Doing): Progress {
  const [field, ...rest] = stepsOf(path);
  if (!Object.hasOwn(progress.fields, field) || heldFields.has(field)) {
    throw new RuleFailure(`${field} is no field of a node that a rule may change`);
  }
  const value = edit(progress.fields[field as keyof NodeFields], rest);
  if (value !== GONE) checkedValue('node', field, value, doing);
  return { ...progress, fields: { ...progress.fields, [field]: value === GONE ? undefined : value } };
}

function withPortAttribute({ port_id: id, path }: JsonObject, edit: Edit, progress: Progress, doing: Doing): Progress {
  const wanted = textForm(id).toLowerCase();
  const at = progress.ports.findIndex(({ uuid, address }) => uuid === wanted || address === wanted);
  const port = progress.ports[at];
  if (!port) throw new RuleFailure(`the node has no port ${textForm(id)}`);
  const [field, ...rest] = stepsOf(path);
  if (!portFields.has(field)) throw new RuleFailure(`${field} is no field of a port that a rule may change`);
  const edited = edit(port[field as keyof RulePort], rest);
  const value = edited === GONE ? portDefaults[field as keyof typeof portDefaults] : edited;
  checkedValue('port', field, value, doing);
  return { ...progress, ports: progress.ports.map((one, n) => (n === at ? { ...one, [field]: value } : one)) };
}

const withPluginData = (path: unknown, edit: Edit, progress: Progress): Progress => ({
  ...progress,
  pluginData: edit(progress.pluginData, stepsOf(path)) as JsonObject,
});

const set =
  (value: unknown): Edit =>
  (old, steps) =>
    changedAt(old, steps, () => value);

const extended =
  ({ value, unique }: JsonObject): Edit =>
  (old, steps) =>
    changedAt(old, steps, (list) => withItem(list ?? [], value, unique === true));

function withItem(list: unknown, value: unknown, unique: boolean): unknown {
  if (!Array.isArray(list)) throw new RuleFailure('what is to be extended is no list');
  return unique && list.some((one: unknown) => sameJson(one, value)) ? list : [...list, value];
}

function withTraits(change: TraitsChange, progress: Progress): Progress {
  try {
    return { ...progress, traits: traitsAfter(progress.traits, change) };
  } catch (error) {
    if (error instanceof Refusal) throw new RuleFailure(error.message);
    throw error;
  }
}

const noted = (note: RuleNote, progress: Progress): Progress => ({ ...progress, notes: [...progress.notes, note] });

/** contract: other-resources.md §6, table of actions */
const actions: Readonly<Record<string, Action>> = {
  fail({ msg }) {
    throw new RuleFailure(textForm(msg));
  },
  log: ({ msg, level }, progress, { rule }) =>
    noted({ level: levels[textForm(level ?? 'info')] ?? 'info', text: `${rule}: ${textForm(msg)}` }, progress),
  'set-attribute': ({ path, value }, progress, doing) => withAttribute(path, set(value), progress, doing),
  'extend-attribute': (args, progress, doing) => withAttribute(args['path'], extended(args), progress, doing),
  'del-attribute': ({ path }, progress, doing) => withAttribute(path, withoutAt, progress, doing),
  'set-capability': ({ name, value }, progress, doing) =>
    withAttribute('/properties', capabilitiesWith(textForm(name), textForm(value)), progress, doing),
  'unset-capability': ({ name }, progress, doing) =>
    withAttribute('/properties', capabilitiesWithout(textForm(name)), progress, doing),
  'add-trait': ({ name }, progress) => withTraits({ add: textForm(name) }, progress),
  'remove-trait': ({ name }, progress, { rule }) => {
    if (progress.traits.includes(textForm(name)))
      return withTraits({ remove: textForm(name), mustExist: true }, progress);
    return noted({ level: 'warn', text: `${rule}: the node has no trait ${textForm(name)}` }, progress);
  },
  'set-plugin-data': ({ path, value }, progress) => withPluginData(path, set(value), progress),
  'extend-plugin-data': (args, progress) => withPluginData(args['path'], extended(args), progress),
  'unset-plugin-data': ({ path }, progress) => withPluginData(path, withoutAt, progress),
  'set-port-attribute': (args, progress, doing) => withPortAttribute(args, set(args['value']), progress, doing),
  'extend-port-attribute': (args, progress, doing) => withPortAttribute(args, extended(args), progress, doing),
  'del-port-attribute': (args, progress, doing) => withPortAttribute(args, withoutAt, progress, doing),
  'api-call': (args, progress, { rule }) => ({ ...progress, calls: [...progress.calls, plannedCall(args, rule)] }),
};

/** One action carried out. Throws RuleFailure where it says so, or can not be done. */
export function acted(op: string, args: JsonObject, progress: Progress, doing: Doing): Progress {
  const action = Object.hasOwn(actions, op) ? actions[op] : undefined;
  if (!action) throw new RuleFailure(`unknown action ${op}`);
  return action(args, progress, doing);
}
