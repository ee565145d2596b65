import { applyOperation } from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { Refusal, isSealed } from '@lib/domain';
import type { PatchOperation } from '@lib/contracts';

type Document = Readonly<Record<string, unknown>>;

const refused = (operation: PatchOperation, reason: string): Refusal =>
  new Refusal(
    'INVALID_PATCH',
    `Couldn't apply patch '${JSON.stringify({ op: operation.op, path: operation.path })}'. Reason: ${reason}`,
  );

const unescape = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * A patch may replace a secret, never reach into one; nor into a text or a number, which the library would pass over in
 * silence.
 */
function checkContainers(field: unknown, segments: readonly string[], operation: PatchOperation): void {
  let container = field;
  for (const segment of segments) {
    if (isSealed(container)) throw refused(operation, 'the path leads into a secret');
    if (typeof container !== 'object' || container === null) {
      throw refused(operation, 'the path leads into something that is no object');
    }
    container = Object.hasOwn(container, segment) ? (container as Record<string, unknown>)[segment] : undefined;
  }
}

/** One operation below a first-level field: RFC 6902, on a copy of the field's value. */
function patchInside(value: unknown, operation: PatchOperation, segments: readonly string[]): unknown {
  checkContainers(value ?? {}, segments.slice(1), operation);
  const path = `/${operation.path.split('/').slice(2).join('/')}`;
  try {
    return applyOperation(structuredClone(value ?? {}), { ...operation, path } as Operation, true, true).newDocument;
  } catch (error) {
    throw refused(operation, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

/**
 * Applies a patch whose first path segments are fields of a resource. On a field itself `add` and `replace` are equal and
 * `remove` gives the field's empty value (contract: node-api.md §6); any failure leaves everything untouched.
 */
export function patchDocument(
  document: Document,
  patch: readonly PatchOperation[],
  emptyOf: (field: string) => unknown,
): Record<string, unknown> {
  return patch.reduce<Record<string, unknown>>(
    (patched, operation) => {
      const segments = operation.path.split('/').slice(1).map(unescape);
      const [field = ''] = segments;
      if (segments.length > 1) return { ...patched, [field]: patchInside(patched[field], operation, segments) };
      if (operation.op === 'remove') return { ...patched, [field]: emptyOf(field) };
      if (!('value' in operation)) throw refused(operation, 'the value is missing');
      return { ...patched, [field]: operation.value };
    },
    { ...document },
  );
}
