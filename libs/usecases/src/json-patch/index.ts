import { Refusal, isSealed } from '@lib/domain';
import type { PatchOperation } from '@lib/contracts';
import { add, remove, replace, type Container } from './edit';

type Document = Readonly<Record<string, unknown>>;

const refused = (operation: PatchOperation, reason: string): Refusal =>
  new Refusal(
    'INVALID_PATCH',
    `Couldn't apply patch '${JSON.stringify({ op: operation.op, path: operation.path })}'. Reason: ${reason}`,
  );

const unescape = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** A patch may replace a secret, never reach into one. */
function containerOf(value: unknown, operation: PatchOperation): Container {
  if (isSealed(value)) throw refused(operation, 'the path leads into a secret');
  if (typeof value !== 'object' || value === null)
    throw refused(operation, 'the path leads into something that is no object');
  return value as Container;
}

/** The container that holds the last segment, found along own members only: no path leads into a prototype. */
function lastContainer(root: unknown, segments: readonly string[], operation: PatchOperation): Container {
  return segments.slice(0, -1).reduce(
    (container, segment) => {
      const inner = Object.hasOwn(container, segment) ? (container as Record<string, unknown>)[segment] : undefined;
      return containerOf(inner, operation);
    },
    containerOf(root, operation),
  );
}

/** One operation below a first-level field, in place: RFC 6902. */
function patchInside(field: unknown, operation: PatchOperation, segments: readonly string[]): void {
  const container = lastContainer(field, segments, operation);
  const key = segments.at(-1) ?? '';
  const problem = operation.op === 'remove' ? remove(container, key) : edited(container, key, operation);
  if (problem !== null) throw refused(operation, problem);
}

function edited(container: Container, key: string, operation: PatchOperation): string | null {
  if (!('value' in operation)) return 'the value is missing';
  // A copy: a later operation may reach into the value, and the command is read again when the commit is.
  const value: unknown = structuredClone(operation.value);
  return operation.op === 'add' ? add(container, key, value) : replace(container, key, value);
}

/**
 * Applies a patch whose first path segments are fields of a resource. On a field itself `add` and `replace` are equal and
 * `remove` gives the field's empty value (contract: node-api.md §6); any failure leaves everything untouched. A field is
 * copied once however many operations change it: a body holds tens of thousands.
 */
export function patchDocument(
  document: Document,
  patch: readonly PatchOperation[],
  emptyOf: (field: string) => unknown,
): Record<string, unknown> {
  // Without a prototype a field called __proto__ is a field like any other, which the check of the document then refuses.
  const patched: Record<string, unknown> = Object.assign(Object.create(null), document);
  const copied = new Set<string>();
  for (const operation of patch) {
    const [field = '', ...segments] = operation.path.split('/').slice(1).map(unescape);
    if (segments.length > 0) {
      if (!copied.has(field)) patched[field] = structuredClone(patched[field] ?? {});
      patchInside(patched[field], operation, segments);
    } else if (operation.op === 'remove') patched[field] = emptyOf(field);
    else if (!('value' in operation)) throw refused(operation, 'the value is missing');
    else patched[field] = structuredClone(operation.value);
    copied.add(field);
  }
  return patched;
}
