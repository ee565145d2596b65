/** A request that came with an Idempotency-Key: what the api asks to have written down with its command. */
export interface KeyedRequest {
  /** Drawn from the key: the same key has the same id in every api. */
  readonly id: string;
  /** Of the request as it came: who, method, path, query, version and body. */
  readonly fingerprint: string;
}

/** An answer as it was given. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, null for none. */
  readonly body: string | null;
}

/** Data of the event RequestAccepted, written in the append of the command: it is carried out once, and found again. */
export interface RequestAccepted {
  /** Stream of what the command was about: `node/<uuid>`. */
  readonly target: string;
}

/** Data of the event RequestAnswered, the next one in the stream of the key. */
export type RequestAnswered = KeptAnswer;

/** The stream of a key: one RequestAccepted for each time that it was used anew, each followed by its answer. */
export const requestStreamId = (id: string): string => `request/${id}`;

export const isRequestStream = (stream: string): boolean => stream.startsWith('request/');
