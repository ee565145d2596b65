/** Messages are JSON in UTF-8. */
export const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value), 'utf8');

export const decode = <T>(body: Uint8Array): T => JSON.parse(Buffer.from(body).toString('utf8')) as T;
