import { actRules, interfaceField, missingEssentials, reservedStep, unreachable, works } from '@lib/domain';
import type { Act, Effect, EffectTask, EffectValue, Node, NodeFields, PortWishes, ToldParts } from '@lib/domain';
import type { Blob, Call, EventReader, HardwareRegistry, InspectResult, Machine, WorkPiece } from '@lib/ports';
import { processData, processFound, readPayload } from '../process-inspection';
import { runInspectionRules } from '../run-inspection-rules';
import type { Ruled, RulesDeps } from '../run-inspection-rules';
import { inventoryBlobs, pluginDataBlob } from '../stored-inventory';
import { tellEnding } from '../tell-ending';
import { preCreatePorts } from './pre-create-ports';
import type { MakePorts } from './pre-create-ports';
import { reasonOf } from './reason';
import { takeOnChildren } from './on-children';
import type { ChildrenDeps } from './on-children';
import { takeReserved } from './reserved-step';
import { stepTaker } from './step-taker';

export interface TaskResult {
  readonly value: EffectValue;
  /** To be stored with the outcome. */
  readonly blobs: readonly Blob[];
  /** What is made of the node's ports in the same append. */
  readonly ports?: PortWishes;
  /** For the operator's log. */
  readonly warnings?: readonly string[];
}

type DataTask = Extract<EffectTask, { kind: 'process inspection data' }>;
type WorkTask = Extract<EffectTask, { kind: 'work' }>;

/** What effects need beside the hardware. */
export type TaskDeps = RulesDeps & {
  readonly reader: Pick<EventReader, 'readBlob'>;
  readonly makePorts: MakePorts;
};

const plain = (value: EffectValue): TaskResult => ({ value, blobs: [] });

const missing = (name: string, call: string): Error => new Error(`inspect interface ${name} does not support ${call}`);

/** Calls the interfaces of a node for one effect; what they throw is the outcome's reason. */
export async function runTask(
  { task, attempt }: Effect,
  node: Node,
  machine: Machine,
  hardware: HardwareRegistry,
  call: Call,
  deps: TaskDeps & ChildrenDeps,
): Promise<TaskResult> {
  const { power_interface: powerName, management_interface: managementName } = node.fields;
  // Whoever maintains a node may give it another interface meanwhile; the attempt ends with the one that it began with.
  const inspectName = node.inspection?.interface ?? node.fields.inspect_interface;
  switch (task.kind) {
    case 'inspect':
      return inspect(inspectName, node, machine, hardware, call, deps);
    case 'start introspection': {
      const { startIntrospection } = bound(inspectName, hardware);
      if (!startIntrospection) throw missing(inspectName, 'introspection');
      await startIntrospection(machine, { manageBoot: task.manageBoot }, call);
      return plain({});
    }
    case 'abort inspection': {
      const { abort } = bound(inspectName, hardware);
      if (!abort) throw missing(inspectName, 'abort');
      await abort(machine, call);
      return plain({});
    }
    case 'process inspection data':
      if (!hardware.inspect(inspectName).facts.takesData) throw missing(inspectName, 'inspection data');
      return processed(task, node, call, deps);
    case 'forward inspection data': {
      const { forward } = bound(inspectName, hardware);
      if (!forward) throw missing(inspectName, 'inspection data');
      const { inventory, pluginData } = await readPayload(task.payload, deps.reader);
      await forward(machine, { ...pluginData, inventory }, call);
      return plain({});
    }
    case 'work':
      return lifecycle(task, node, machine, hardware, call, deps);
    case 'power':
      return plain(await hardware.power(powerName).change(machine, task.target, task.timeoutSeconds, call));
    case 'clean up boot':
      await hardware.boot(task.interface).cleanUpRamdisk({ ...machine, attempt }, call);
      return plain({});
    case 'tell ending':
      await tellEnding(task, attempt ?? 0, machine, hardware, call);
      return plain({});
    case 'set boot device':
      await hardware.management(managementName).setBootDevice(machine, task.device, task.persistent, call);
      return plain({});
    case 'manage':
      return manage(task.act, node, machine, hardware, call);
    default:
      return unreachable(task);
  }
}

function bound(name: string, hardware: HardwareRegistry) {
  const one = hardware.inspect(name);
  return {
    startIntrospection: one.startIntrospection?.bind(one),
    forward: one.forward?.bind(one),
    abort: one.abort?.bind(one),
  };
}

async function inspect(
  name: string,
  node: Node,
  machine: Machine,
  hardware: HardwareRegistry,
  call: Call,
  deps: TaskDeps,
): Promise<TaskResult> {
  const ready = deps.options.inspection.preCreatePorts
    ? await preCreatePorts(name, machine, hardware, call, deps.makePorts)
    : { machine, warnings: [] };
  const result = await hardware.inspect(name).inspect(ready.machine, call);
  const { data, hooks, essential: _, warnings: told = [], ...value } = result;
  const warnings = [...ready.warnings, ...told];
  if (data && hooks) return foundOutOfBand(name, { ...result, data, hooks }, node, call, deps);
  if (!data || !deps.options.inspection.storeData)
    return { warnings, value: { interfaceName: name, ...value }, blobs: [] };
  const { stored, blobs } = inventoryBlobs(data.inventory, data.pluginData);
  return { warnings, value: { interfaceName: name, ...value, inventory: stored }, blobs };
}

type OutOfBand = InspectResult & Required<Pick<InspectResult, 'data' | 'hooks'>>;

/**
 * Hooks, then the data is stored, and only then rules: what those make of plugin data is not kept, and one that fails leaves the
 * new data with the node (contract: redfish.md §4, rows 11 to 13; inspection.md §11).
 */
async function foundOutOfBand(
  interfaceName: string,
  { data, hooks, essential = [], properties: told = {}, warnings = [], ...value }: OutOfBand,
  node: Node,
  call: Call,
  deps: TaskDeps,
): Promise<TaskResult> {
  const { inspection } = deps.options;
  const found = await finishing(() => processFound({ data, hooks, properties: told }, node, inspection, deps.reader));
  const { properties, nics, facts } = found;
  const { stored, blobs } = inspection.storeData
    ? inventoryBlobs(found.inventory, found.pluginData)
    : { stored: null, blobs: [] };
  const noted = { warnings: [...warnings, ...found.warnings], blobs };
  const about = { interfaceName, ...value, inventory: stored };
  const failed = (failure: string, by: Ruled['value'] = {}): TaskResult => ({
    ...noted,
    // A key that was made for a rule's secret is known to whoever takes it away again.
    value: { ...about, failure, ...(by.keyId === undefined ? {} : { keyId: by.keyId }) },
  });
  let ruled: Ruled;
  try {
    ruled = await runInspectionRules(node, found, call, deps);
  } catch (error) {
    // Where they stopped because the inspection no longer stands, it has not failed.
    await call.stillStands();
    return failed(`${NOT_FINISHED}: ${reasonOf(error)}`);
  }
  const before = node.fields.properties;
  const after = ruled.value.ruledFields?.properties ?? { ...before, ...properties };
  const missing = missingEssentials(essential, before, properties, after);
  if (missing.length > 0)
    return failed(`The machine does not tell these essential properties: ${missing.join(', ')}`, ruled.value);
  return { ...noted, ports: { nics, facts, edits: ruled.edits }, value: { ...about, properties, ...ruled.value } };
}

const NOT_FINISHED = 'Failed to finish inspection';

async function finishing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${NOT_FINISHED}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Hooks, then rules; what they leave is what is stored (contract: inspection.md §6.4). That is the inventory as it was posted, which
 * the store has already.
 */
async function processed({ payload }: DataTask, node: Node, call: Call, deps: TaskDeps): Promise<TaskResult> {
  const { inspection } = deps.options;
  const hooked = await processData(payload, node, inspection, deps.reader);
  const { value, pluginData, edits } = await runInspectionRules(node, hooked, call, deps);
  const { properties, nics, facts, warnings } = hooked;
  const found = { ports: { nics, facts, edits }, warnings };
  if (!inspection.storeData) return { ...found, value: { properties, ...value, inventory: null }, blobs: [] };
  const kept = pluginDataBlob(pluginData);
  const stored = { inventory: payload.inventory, pluginData: kept.hash };
  return { ...found, value: { properties, ...value, inventory: stored }, blobs: [kept] };
}

async function lifecycle(
  { work, automated, ...task }: WorkTask,
  { uuid, fields }: Node,
  machine: Machine,
  hardware: HardwareRegistry,
  call: Call,
  deps: ChildrenDeps,
): Promise<TaskResult> {
  const { by } = works[work];
  if (by === 'power') return verify(fields, machine, hardware, call);
  if (automated === false) return plain({});
  const step = task.step ?? null;
  if (step?.execute_on_child_nodes === true) {
    await takeOnChildren(step, uuid, call, deps);
    return plain({});
  }
  const reserved = step && reservedStep(step);
  if (reserved)
    return plain(await takeReserved(reserved, machine, hardware.power(fields.power_interface), call, deps.clock));
  const piece: WorkPiece = {
    work,
    step,
    resumed: task.resumed ?? false,
    ramdisk: task.ramdisk ?? true,
    aborted: task.aborted ?? false,
  };
  const take = step && stepTaker(step, fields, hardware);
  if (take) return plain(await take(machine, piece, call));
  return plain(await hardware.lifecycle(by, fields[interfaceField(by)]).work(machine, piece, call));
}

async function manage(
  act: Act,
  { fields }: Node,
  machine: Machine,
  hardware: HardwareRegistry,
  call: Call,
): Promise<TaskResult> {
  const { by } = actRules[act.act];
  const answer = await hardware.acting(by, fields[interfaceField(by)]).carryOut(machine, act, call);
  return plain(answer === undefined ? {} : { answer });
}

/** Credentials are good when the machine tells its power state (contract: state-machine.json, manage). */
async function verify(
  fields: NodeFields,
  machine: Machine,
  hardware: HardwareRegistry,
  call: Call,
): Promise<TaskResult> {
  const power = hardware.power(fields.power_interface);
  const problem = power.validate(machine);
  if (problem) throw new Error(problem);
  const powerState = await power.read(machine, call);
  return plain({ powerState, parts: await partsOf(fields, machine, hardware, call) });
}

/** A machine whose power can be read is good to be managed, whatever it tells of its parts. */
async function partsOf(
  { bios_interface: bios, firmware_interface: firmware }: NodeFields,
  machine: Machine,
  hardware: HardwareRegistry,
  call: Call,
): Promise<ToldParts> {
  const asked = [hardware.parts('bios', bios), hardware.parts('firmware', firmware)];
  const told = await Promise.allSettled(asked.map((one) => one?.read(machine, call) ?? Promise.resolve({})));
  return Object.assign({}, ...told.map((one) => (one.status === 'fulfilled' ? one.value : {}))) as ToldParts;
}
