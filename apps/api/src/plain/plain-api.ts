import { plainResources, type Field, type PatchOperation, type PlainKind, type PlainResource } from '@lib/contracts';
import type { Condition } from '@lib/ports';
import type { Call, JsonObject } from '../http';

/** What one kind of plain resource does otherwise than all the others, at the door. */
export interface PlainHooks {
  /** Conditions of the filters in force; by default a filter compares the column of its name. */
  readonly conditions?: (call: Call, given: readonly string[]) => Promise<Condition[]>;
  /** Takes the node's ident out of a creation; the rest is checked by the declaration. By default it is `node_uuid`. */
  readonly nodeIdent?: (body: JsonObject) => string;
  /** Values that only some versions know, or that are wrong by themselves. */
  readonly checkFields?: (fields: JsonObject, body: JsonObject, minor: number) => void;
  readonly checkOperation?: (operation: PatchOperation, minor: number) => void;
  /** Links and the like. */
  readonly computed?: (publicUrl: string, uuid: string) => JsonObject;
  /** Fields that a version shows otherwise than they are stored; `read` gives stored values. */
  readonly put?: Readonly<Record<string, (read: (name: string) => unknown, minor: number) => unknown>>;
  /** DELETE takes no names. */
  readonly removedByUuidOnly?: boolean;
}

/** A plain resource as the api serves it. */
export interface PlainApi extends PlainHooks {
  readonly declared: PlainResource;
  readonly patchable: ReadonlySet<string>;
}

export function plainApi(kind: PlainKind, hooks: PlainHooks = {}): PlainApi {
  const declared = plainResources[kind];
  const patchable = new Set(declared.fields.filter(({ patch }) => patch).map(({ name }: Field) => name));
  return { ...hooks, declared, patchable };
}
