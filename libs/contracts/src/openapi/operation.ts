/** What is said of one method of one path, before a version is chosen. */
import type { JsonSchema } from './json-schema';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface QueryArgument {
  readonly name: string;
  /** First minor API version that takes it. */
  readonly min: number;
  readonly about: string;
  readonly schema: JsonSchema;
  /** A comma list. */
  readonly list?: boolean;
}

export interface Operation {
  readonly method: Method;
  /** From the root, as `/v1/nodes/{ident}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly query?: (minor: number) => readonly QueryArgument[];
  /** A version below its gate that is served it too. */
  readonly alsoAt?: number;
  /** What the client sends; `optional` where it may send nothing. */
  readonly body?: (minor: number) => JsonSchema;
  readonly bodyOptional?: boolean;
  /** Status of a success -> its body; null where there is none. */
  readonly answers: (minor: number) => Readonly<Record<number, JsonSchema | null>>;
  /** Type of the body where it is not JSON. */
  readonly mediaType?: string;
  /** The answer names a place. */
  readonly located?: boolean;
  /** The answer is that of one version of one resource, which a tag names. */
  readonly tagged?: boolean;
  /** It may be told why it is asked for. */
  readonly reasoned?: boolean;
  /** The microversion is not looked at and not told. */
  readonly versionless?: boolean;
  /** Anybody may ask, whatever authentication is in force. */
  readonly public?: boolean;
  /** A failure may have a body of its own beside the fault. */
  readonly troubles?: Readonly<Record<number, JsonSchema>>;
}

export const answers =
  (status: number, schema: JsonSchema | null): Operation['answers'] =>
  () => ({ [status]: schema });

/** In answers to a request of the contract's version. */
export const answersAt =
  (status: number, schema: (minor: number) => JsonSchema): Operation['answers'] =>
  (minor) => ({ [status]: schema(minor) });
