/** What a handler gives back; the server adds request id and version headers. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or null for an empty body without Content-Type. */
  readonly body: string | null;
}

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: JSON.stringify(value),
});

/** A body that is JSON text already. */
export const jsonText = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body,
});

export const ok = (value: unknown): Answer => json(200, value);
export const empty = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: null,
});
/** `body` is JSON text. */
export const created = (body: string, location: string): Answer => jsonText(201, body, { Location: location });
export const accepted = (location?: string): Answer => empty(202, location === undefined ? {} : { Location: location });
