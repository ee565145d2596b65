import type { Field } from '../field';
import { argumentGates, type ArgumentGate } from '../versions';

/** Kinds of plain resources: created, changed and removed as documents, all by the same mechanism. */
export type PlainKind =
  | 'port'
  | 'chassis'
  | 'portgroup'
  | 'deploy_template'
  | 'runbook'
  | 'volume_connector'
  | 'volume_target'
  | 'inspection_rule'
  | 'allocation';

/** A field that names another plain resource. */
export interface Reference {
  readonly field: string;
  readonly kind: PlainKind;
  /** Both must belong to one node. */
  readonly sameNode: boolean;
}

/** Documents that must not be left behind: while one names the resource it is not removed. */
export interface Holder {
  readonly kind: 'node' | 'port';
  readonly column: string;
}

/** A key that no two resources of a kind share. */
export interface UniqueKey {
  /** Together they are the key; a resource in which one of them is null has none. */
  readonly fields: readonly string[];
  /** Of the key in the store. */
  readonly index: string;
}

/** Everything that tells one plain resource from another before any rule speaks. */
export interface PlainResource {
  readonly kind: PlainKind;
  /** As its event types begin: `DeployTemplate`. */
  readonly concept: string;
  /** In sentences: `deploy template`. */
  readonly noun: string;
  /** Its collection below /v1: `volume/connectors`. */
  readonly path: string;
  /** Under which a list gives its items. */
  readonly listKey: string;
  readonly fields: readonly Field[];
  /** Shown in a list without `fields` and `detail`, in the order of their `next` link. */
  readonly listFields: readonly string[];
  readonly addressed: 'by UUID' | 'by UUID or name';
  readonly unique: readonly UniqueKey[];
  readonly references: readonly Reference[];
  readonly heldBy: readonly Holder[];
  /** Belongs to the node that `node_uuid` names: its commands take turns with the node's, and it goes with the node. */
  readonly ofNode: boolean;
  /** `GET <path>/detail` exists. */
  readonly hasDetailPath: boolean;
  /** Query arguments of the list beside paging, `fields` and `detail`. */
  readonly filters: readonly string[];
  /** First minor version of those that are newer than the collection; 406 below. */
  readonly filterMin: Readonly<Record<string, number>>;
  /** Fields whose free content may hold secrets: sealed in the log, masked for clients. */
  readonly secret: readonly string[];
  /** A field that, once it is true, has those sealed as a whole. */
  readonly sensitiveBy?: string;
}

export const unique = (kind: PlainKind, ...fields: string[]): UniqueKey => ({
  fields,
  index: `${kind}.${fields.join('+')}`,
});

/**
 * The argument `detail` of a list. Collections that had a list in detail under a path of its own were given it later; with the
 * others it came from the beginning (contract: microversions.json, 43).
 */
export const detailGate = ({ hasDetailPath, noun }: PlainResource): ArgumentGate =>
  hasDetailPath
    ? argumentGates.detail
    : { ...argumentGates.detail, min: 1, what: `the argument detail of a list of ${noun}s` };
