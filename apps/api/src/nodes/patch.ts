/**
 * PATCH /v1/nodes/{ident}: shape, versions, names and references here; state and locking in the conductor.
 * contract: node-api.md §6
 */
import { argumentGates, nodeFields, nodePatchable, type PatchOperation } from '@lib/contracts';
import { ownInspectionProblem } from '@lib/domain';
import { badRequest } from '../faults';
import { isObject, jsonText, type Answer, type Call } from '../http';
import { checkNetworkData, checkPatch, checkRemoval, patchBody } from '../schema';
import { checkGate } from '../version';
import { checkPatchedMode } from './boot-modes';
import { checkChassis, checkHost } from './checks';
import { findNode, parseDocument, readNode, referredNode, type FoundNode } from './find';
import { checkNewName } from './idents';
import { renderWhole } from './show';

const rules = { fields: nodeFields, patchable: nodePatchable };

export async function patchNode(call: Call): Promise<Answer> {
  call.query.only(['reset_interfaces']);
  const shaped = checkPatch(patchBody(call), rules, call.minor);
  const resetInterfaces = resetArgument(call, shaped);
  for (const operation of shaped) checkOperation(operation, call);
  const node = await findNode(call);
  checkChassisRemoval(call, node, shaped);
  const patch = await Promise.all(shaped.map((operation) => resolved(call, operation)));
  await checkPlace(call, node, patch);
  const { uuid } = node;
  const result = await call.services.commands.send(
    { type: 'PatchNode', uuid, patch, minor: call.minor, resetInterfaces },
    call.requestId,
  );
  return jsonText(200, await renderedUnderLock(call, uuid, result));
}

/** The contract shows the patched node as it is while the conductor still holds it. */
async function renderedUnderLock(call: Call, uuid: string, result: Readonly<Record<string, unknown>>): Promise<string> {
  const stored = await readNode(call, uuid);
  const { conductors } = call.services;
  const host = result['host'] ?? conductors.hostOf(parseDocument(stored).document as never, await conductors.all());
  return renderWhole(call, stored, { reservation: () => host });
}

function resetArgument(call: Call, patch: readonly PatchOperation[]): boolean {
  if (!call.query.has('reset_interfaces')) return false;
  checkGate(call.minor, argumentGates.resetInterfaces);
  const reset = call.query.boolean('reset_interfaces') ?? false;
  if (reset && !patch.some((one) => one.path === '/driver'))
    throw badRequest('The argument reset_interfaces can only be used when changing the driver.');
  return reset;
}

const irremovable = ['driver', 'conductor_group', 'maintenance'];

function checkOperation(operation: PatchOperation, { minor, services }: Call): void {
  checkRemoval(operation, irremovable);
  if (operation.op === 'remove') return;
  if (operation.path === '/name') checkName(operation.value, minor);
  if (operation.path === '/network_data') checkNetworkData(operation.value);
  checkOwnWords(operation);
  checkPatchedMode(operation, services.settings);
}

function checkName(value: unknown, minor: number): void {
  if (value === null || value === '') throw badRequest('Invalid name: it cannot be empty. Use remove to clear it.');
  checkNewName(String(value), minor);
}

/** What the node itself says of its inspections. */
function checkOwnWords({ path, value }: PatchOperation): void {
  const [, key] = /^\/driver_info\/([^/]+)$/.exec(path) ?? [];
  const info = path === '/driver_info' && isObject(value) ? value : key === undefined ? {} : { [key]: value };
  const problem = ownInspectionProblem(info);
  if (problem !== null) throw badRequest(problem);
}

/** To clear what is clear already is no removal. */
function checkChassisRemoval(call: Call, { document }: FoundNode, patch: readonly PatchOperation[]): void {
  const clears = patch.some((one) => one.path === '/chassis_uuid' && (one.op === 'remove' || one.value === null));
  if (clears && (document['chassis_uuid'] ?? null) !== null) checkGate(call.minor, argumentGates.chassisRemoval);
}

/** Names of other resources become UUIDs, groups lower case. */
async function resolved(call: Call, operation: PatchOperation): Promise<PatchOperation> {
  const { path, value } = operation;
  if (operation.op === 'remove' || typeof value !== 'string') return operation;
  if (path === '/conductor_group') return { ...operation, value: value.toLowerCase() };
  if (path === '/chassis_uuid') await checkChassis(call, value);
  if (path === '/parent_node')
    return { ...operation, value: (await referredNode(call, value, 'The parent node')).uuid };
  return operation;
}

/** A new driver or group needs a conductor that serves it. */
async function checkPlace(call: Call, { document }: FoundNode, patch: readonly PatchOperation[]): Promise<void> {
  const written = (name: string) => patch.findLast((one) => one.path === `/${name}` && one.op !== 'remove')?.value;
  const [driver, group] = [written('driver'), written('conductor_group')];
  if (driver === undefined && group === undefined) return;
  await checkHost(call, String(driver ?? document['driver']), group ?? document['conductor_group']);
}
