/**
 * The shape of a JSON patch, before anyone looks at what it would change.
 * contract: node-api.md §6
 */
import { since, type Field, type PatchOperation } from '@lib/contracts';
import { badRequest, tooNew } from '../faults';
import { isObject, wholeBody, type Call } from '../http';
import { checkValue } from './values';

const PLAIN_PATH = /^(?:\/[\p{L}\p{N}_-]+)+$/u;
/** From 1.98 keys below the field may hold the escapes of RFC 6901. */
const ESCAPED_PATH = /^\/[\p{L}\p{N}_-]+(?:\/(?:[\p{L}\p{N}_-]|~[01])+)*$/u;

const operationKeys: ReadonlySet<string> = new Set(['op', 'path', 'value']);

export function patchBody(call: Call): PatchOperation[] {
  const body = wholeBody(call);
  if (!Array.isArray(body)) throw badRequest('Schema error: a JSON patch is an array of operations.');
  const depthMax = call.services.settings.api.max_json_body_depth;
  return body.map((one) => withinDepth(operationOf(one, call.minor), depthMax));
}

/**
 * One patch after the other must not build what no creation could send: such a document would overflow whatever walks
 * it, for every reader and for ever.
 */
function withinDepth(operation: PatchOperation, depthMax: number): PatchOperation {
  const depth = operation.path.split('/').length - 1 + depthOf(operation.value);
  if (depth > depthMax)
    throw badRequest(`Couldn't apply patch. Reason: the document would nest deeper than ${depthMax} levels.`);
  return operation;
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Object.values(value).reduce<number>(deeper, 0) : 0;

const deeper = (depth: number, value: unknown): number => Math.max(depth, depthOf(value));

function operationOf(value: unknown, minor: number): PatchOperation {
  if (!isObject(value)) throw badRequest('Schema error: an operation of a patch is an object.');
  const extra = Object.keys(value).find((key) => !operationKeys.has(key));
  if (extra !== undefined) throw badRequest(`Schema error: unexpected property '${extra}' in a patch operation.`);
  const { op, path } = value;
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw badRequest(`Schema error: op must be add, replace or remove.`);
  const pattern = minor >= since.jsonPointerEscapes ? ESCAPED_PATH : PLAIN_PATH;
  if (typeof path !== 'string' || !pattern.test(path))
    throw badRequest(`Schema error: invalid path ${JSON.stringify(path)} in a patch.`);
  if (op === 'remove') return { op, path };
  if (!Object.hasOwn(value, 'value')) throw badRequest(`Couldn't apply patch. Reason: ${op} ${path} needs a value.`);
  return { op, path, value: value['value'] };
}

/** First segment of a path. */
export const rootOf = (operation: PatchOperation): string => operation.path.split('/')[1] ?? '';

/** The operation names the field itself, not something inside. */
export const isWhole = (operation: PatchOperation): boolean => operation.path === `/${rootOf(operation)}`;

/** @throws 400 for the removal of a field that cannot be emptied */
export function checkRemoval(operation: PatchOperation, irremovable: readonly string[]): void {
  const root = rootOf(operation);
  if (operation.op === 'remove' && isWhole(operation) && irremovable.includes(root))
    throw badRequest(`Couldn't apply patch. Reason: ${root} cannot be removed.`);
}

export interface PatchRules {
  readonly fields: readonly Field[];
  readonly patchable: ReadonlySet<string>;
}

/** Checks roots, versions and the types of whole values; gives the operations with values as they are stored. */
export function checkPatch(patch: readonly PatchOperation[], rules: PatchRules, minor: number): PatchOperation[] {
  const foreign = patch.find((one) => !rules.patchable.has(rootOf(one)));
  if (foreign) {
    throw badRequest(
      `Cannot patch ${foreign.path}. Only these can be updated: ${[...rules.patchable].sort().join(', ')}.`,
    );
  }
  const byName = new Map(rules.fields.map((field) => [field.name, field]));
  for (const operation of patch) checkVersion(operation, byName, minor);
  return patch.map((operation) => {
    const field = byName.get(rootOf(operation));
    if (!field || operation.op === 'remove' || !isWhole(operation)) return operation;
    return { ...operation, value: checkValue(field, operation.value) };
  });
}

function checkVersion(operation: PatchOperation, byName: ReadonlyMap<string, Field>, minor: number): void {
  const field = byName.get(rootOf(operation));
  if (!field || field.min <= minor || operation.op === 'remove' || !isWhole(operation)) return;
  const { name, min, below } = field;
  if (below.patch === 406) throw tooNew(`the field ${name}`, min);
  if (below.patch === 400) throw badRequest(`Cannot patch /${name}: it is known from API version 1.${min} on.`);
}
