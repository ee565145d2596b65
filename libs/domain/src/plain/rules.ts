import type { Node } from '../node/state';
import type { ResourceDocument } from '../resource';

/** What the rules of a plain resource may look at beside its documents. */
export interface PlainContext {
  /** The node that it belongs to; null for what stands alone. */
  readonly node: Node | null;
  /** The request's minor version. */
  readonly minor: number;
  /** `[DEFAULT] default_portgroup_mode`. */
  readonly portgroupMode: string;
}

/** The rules of one kind beyond created, changed, removed. Each refuses with a code. */
export interface PlainRules {
  /** A new document with all fields of its declaration; answers what is stored. */
  readonly create: (document: ResourceDocument, context: PlainContext) => ResourceDocument;
  /** The patched document; answers what is stored. */
  readonly change: (before: ResourceDocument, after: ResourceDocument, context: PlainContext) => ResourceDocument;
  readonly remove: (document: ResourceDocument, context: PlainContext) => void;
}

/** What the declaration says is all there is to say. */
export const noRules: PlainRules = {
  create: (document) => document,
  change: (_, after) => after,
  remove: () => undefined,
};
