import type { AppendConflict, Emptiness } from '@lib/ports';

/** The conflict of an append after which a document remains where it promised that none would. */
export const remaining = (
  { kind }: Emptiness,
  { id, version }: { readonly id: string; readonly version: number },
): AppendConflict => ({ kind: 'guard', stream: `${kind}/${id}`, actual: version });
