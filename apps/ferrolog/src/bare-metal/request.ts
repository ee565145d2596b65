/** The API answered with a fault: its status and its own words. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';

  constructor(
    readonly status: number,
    text: string,
    readonly call: string,
  ) {
    super(`${text} (${status}, ${call})`);
  }
}

/** Nobody answered; the message is a sentence with the address. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const TIMEOUT_MS = 60_000;

/** One HTTP call; whatever was answered is returned. @throws NoAnswer */
export async function request(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    throw new NoAnswer(`${url} does not answer (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The words of a fault, in whichever of its shapes it comes: a JSON text inside JSON, an object, or plain text. */
export function faultText(body: unknown): string {
  const message: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'error_message') : body;
  if (typeof message === 'string') {
    const inner = parsed(message);
    return typeof inner === 'object' && inner !== null ? faultText({ error_message: inner }) : message;
  }
  const fault: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'faultstring') : undefined;
  return typeof fault === 'string' ? fault : JSON.stringify(body);
}
