import type { JsonObject, NodeFields } from '../node/fields';
import type { PortDocument } from '../port';

/** A condition or an action as it is written. */
export interface RuleItem extends JsonObject {
  readonly op: string;
  /** By name, or in the order of the operator's arguments. */
  readonly args: JsonObject | readonly unknown[];
  readonly loop?: readonly unknown[] | JsonObject;
  /** Of a condition with a loop. */
  readonly multiple?: 'any' | 'all' | 'first' | 'last';
}

/** A rule that may be carried out: secrets opened, checked when it was written. */
export interface InspectionRule {
  /** As messages call it. */
  readonly name: string;
  /** The highest comes first; built-in rules may have any. */
  readonly priority: number;
  readonly sensitive: boolean;
  readonly conditions: readonly RuleItem[];
  readonly actions: readonly RuleItem[];
}

/** `[inspection_rules] mask_secrets`: when the secrets of the data read as `***`. `sensitive`: for rules that are not sensitive. */
export type MaskSecrets = 'always' | 'never' | 'sensitive';

/** What a port may be changed in; one that the inspection makes has no UUID yet and goes by its address. */
export type RulePort = Omit<PortDocument, 'uuid'> & { readonly uuid: string | null };

/** What rules look at and change. */
export interface RuleGround {
  /** As they are, secrets sealed. */
  readonly fields: NodeFields;
  /** What else a rule may read of the node, under the API's names. */
  readonly facts: JsonObject;
  readonly traits: readonly string[];
  readonly ports: readonly RulePort[];
  readonly inventory: JsonObject;
  readonly pluginData: JsonObject;
}

export interface RuleSettings {
  readonly maskSecrets: MaskSecrets;
  /** What is wrong with a value for a field of the API, null when nothing is. */
  readonly problemOf: (kind: 'node' | 'port', field: string, value: unknown) => string | null;
}

/** A GET that a rule asks for. Nothing that is answered is used; anything but a success fails the inspection. */
export interface ApiCall {
  readonly rule: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** By scheme of the URL. */
  readonly proxies: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Tries after the first one. */
  readonly retries: number;
  /** Before try n + 1 (n from 1) it waits this many seconds times 2 to the n - 1. */
  readonly backoffFactor: number;
}

export type NoteLevel = 'debug' | 'info' | 'warn' | 'error';

/** For the operator's log. */
export interface RuleNote {
  readonly level: NoteLevel;
  readonly text: string;
}

/** A first-level field of the node with its new value; without one it takes its default again. */
export type FieldChange =
  | { readonly op: 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

export interface RulesOutcome {
  /** Why the inspection fails, null when it goes on. */
  readonly failure: string | null;
  /** To be made in this order, also where a later rule failed. */
  readonly calls: readonly ApiCall[];
  readonly notes: readonly RuleNote[];
  readonly changes: readonly FieldChange[];
  /** Null: as they were. */
  readonly traits: readonly string[] | null;
  /** Changed fields of ports by their addresses. */
  readonly ports: ReadonlyMap<string, JsonObject>;
  readonly pluginData: JsonObject;
}

/** A rule can not be carried out, or says that the inspection fails; the text is the reason. */
export class RuleFailure extends Error {}
