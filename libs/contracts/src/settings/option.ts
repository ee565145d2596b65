/**
 * One declaration per option. The typed `Settings`, the checks at start and docs/configuration.md all come from it.
 */

/** The services of the stack; `readBy` says where a change of an option shows. */
export const serviceNames = ['api', 'conductor', 'scheduler', 'inspector-simulator'] as const;
export type ServiceName = (typeof serviceNames)[number];

export type OptionType = 'boolean' | 'integer' | 'float' | 'string' | 'url' | 'list' | 'choice' | 'delay' | 'weights';

export type Parsed<V> = { readonly ok: true; readonly value: V } | { readonly ok: false; readonly problem: string };

export const parsed = <V>(value: V): Parsed<V> => ({ ok: true, value });
export const refused = (problem: string): { readonly ok: false; readonly problem: string } => ({ ok: false, problem });

/** What the machine that we run on contributes to defaults. */
export interface Machine {
  readonly hostname: string;
}

export interface Description {
  /** What the option does, in a sentence. */
  readonly meaning: string;
  readonly readBy: readonly ServiceName[];
  /** `s`, `KiB` ...; none for words and counts. */
  readonly unit?: string;
  /** Former names in the same section: accepted, with a warning. */
  readonly oldNames?: readonly string[];
  /** Where our default is not Ironic's. `ironic` null: Ironic has no such option. */
  readonly difference?: { readonly ironic: string | null; readonly why: string };
}

export interface Option<V> extends Description {
  readonly type: OptionType;
  /** What is accepted, in words, for the documentation: "0 to 65535". */
  readonly accepts: string;
  /** `hasExtensions`: `[DEFAULT] extensions` names some. */
  parse(text: string, hasExtensions?: boolean): Parsed<V>;
  defaultValue(machine: Machine): V;
  /** The default as it would be written in the file; null when the option is unset by default. */
  readonly defaultText: string | null;
}

export type ValueOf<O> = O extends Option<infer V> ? V : never;
