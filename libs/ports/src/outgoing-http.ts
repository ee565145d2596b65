/** A GET to a service that is none of ours, as an inspection rule asks for it. */
export interface OutgoingGet {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Address of the HTTP proxy to go through; null: none. */
  readonly proxy: string | null;
  /** For the whole of it, from the first byte out to the head of the answer. */
  readonly timeoutMs: number;
}

export interface OutgoingHttp {
  /** Resolves with the status of the answer, whose body is not read; rejects with a sentence when there is none. */
  get(request: OutgoingGet, signal: AbortSignal): Promise<number>;
}
