import { BusError, type BusErrorCode, type BusRequest, type MessageBus } from '@lib/ports';

/** Where buses meet: a broker, or a hub in this process. */
export interface BusSite {
  /** A new bus on the same site. */
  bus(): Promise<MessageBus>;
  /** Sizes around which the adapter changes its way of sending. */
  readonly edgesBytes: readonly number[];
  close(): Promise<void>;
}

export const KIB = 1024;
export const MIB = 1024 * 1024;
export const PATIENCE_MS = 30_000;
export const LARGE_TEST_MS = 120_000;
export const text = (body: Uint8Array): string => Buffer.from(body).toString();
export const bytes = (value: string): Uint8Array => Buffer.from(value);
export const echo = async (request: BusRequest): Promise<Uint8Array> => request.body;
export const unexpected = (error: unknown): void => {
  throw error;
};

export async function codeOf(request: Promise<unknown>): Promise<BusErrorCode | 'answered' | 'other'> {
  try {
    await request;
    return 'answered';
  } catch (error) {
    return error instanceof BusError ? error.code : 'other';
  }
}

/** Two buses on one site. */
export interface Bench {
  readonly site: BusSite;
  readonly client: MessageBus;
  readonly server: MessageBus;
  /** A request of the client. */
  ask(subject: string, body: Uint8Array, timeoutMs?: number): Promise<Uint8Array>;
}

/** One site for the describe block that calls this, and two new buses for each of its tests. */
export function benchEachTest(openSite: () => Promise<BusSite>): Bench {
  const bench = {
    ask: (subject, body, timeoutMs = PATIENCE_MS) => bench.client.request(subject, body, { timeoutMs }),
  } as { -readonly [K in keyof Bench]: Bench[K] };
  beforeAll(async () => {
    bench.site = await openSite();
  });
  afterAll(() => bench.site.close());
  beforeEach(async () => {
    [bench.client, bench.server] = await Promise.all([bench.site.bus(), bench.site.bus()]);
  });
  afterEach(async () => {
    await Promise.all([bench.client.close(), bench.server.close()]);
  });
  return bench;
}
