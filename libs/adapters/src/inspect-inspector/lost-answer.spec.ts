import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encode, subjects } from '@lib/contracts';
import type { Call } from '@lib/ports';
import { aMachine } from '@lib/testing/a-machine';
import { ManualClock } from '@lib/testing/manual-clock';
import { fakeBoot, fakeManagement, fakePower, noopNetwork } from '../hardware-fake';
import { MemoryBusHub } from '../message-bus-memory';
import { inspectorInterface, overBus, overHttp } from './index';
import type { InspectorTransport } from './index';

const NODE = '6d9b7c2e-3f3a-4f0e-9b1a-0c5d5e0f7a11';
const LIMIT_MS = 10_000;
const call: Call = { signal: new AbortController().signal, stillStands: () => Promise.resolve() };
const begun = aMachine({ uuid: NODE, attempt: 1, attemptBegunAt: Date.parse('2026-03-01T10:00:00Z') });
const own = { uuid: NODE, finished: false, state: 'waiting', started_at: '2026-03-01T10:00:01', error: null };

type Handler = (response: ServerResponse) => void;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** What a start by the interface comes to. */
async function starting(transport: InspectorTransport, clock: ManualClock): Promise<string> {
  const inspect = inspectorInterface({
    power: () => fakePower,
    management: () => fakeManagement,
    boot: () => fakeBoot,
    network: () => noopNetwork,
    ramdisk: { apiUrl: 'http://192.0.2.1:6385', extraKernelParameters: [], forceDhcp: false, fastTrack: false },
    callbackEndpoint: 'http://192.0.2.1:5050',
    transport,
    clock,
    requireManagedBoot: null,
    resolveHost: () => Promise.resolve([]),
    logger: { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() },
  });
  try {
    await inspect.startIntrospection?.(begun, { manageBoot: true }, call);
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
}

/** An inspector behind a real HTTP server, which is asked by the interface as the conductor asks it. */
async function inspector(handlers: { readonly start: Handler; readonly status: Handler }) {
  const asked: string[] = [];
  let arrived = (): void => undefined;
  const started = new Promise<void>((resolve) => (arrived = resolve));
  const server = createServer((request: IncomingMessage, response) => {
    request.resume().once('end', () => {
      asked.push(`${request.method} ${request.url}`);
      handlers[request.method === 'POST' ? 'start' : 'status'](response);
      arrived();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new ManualClock('2026-03-01T10:00:00Z');
  const peer = { endpoint, credentials: { kind: 'none' }, ca: null, verifyCertificate: true } as const;
  const start = () => starting(overHttp(peer, LIMIT_MS, clock), clock);
  return { asked, clock, started, start };
}

const swallow: Handler = () => undefined;
const hangUp: Handler = (response) => void response.socket?.destroy();
const answer =
  (status: number, body: object): Handler =>
  (response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const both = [`POST /v1/introspection/${NODE}`, `GET /v1/introspection/${NODE}`];

describe('a start whose answer is lost on HTTP', () => {
  it.each<[string, Handler, string]>([
    ['counts where the inspector has a run of the attempt', answer(200, own), 'taken'],
    ['fails where it has none', answer(404, {}), 'the inspector did not answer within 10 seconds'],
  ])('because it did not come in time %s', async (_what, status, outcome) => {
    const { asked, clock, started, start } = await inspector({ start: swallow, status });
    const work = start();
    await started;
    await clock.advanceBy(LIMIT_MS);
    expect(await work).toBe(outcome);
    expect(asked).toEqual(both);
  });

  it.each<[string, Handler, RegExp]>([
    ['counts where the inspector has a run of the attempt', answer(200, own), /^taken$/],
    ['fails where it has none', answer(404, {}), /^the inspector broke its answer off: /],
    ['fails where it can not be asked either', hangUp, /^the inspector broke its answer off: /],
  ])('because the connection was reset %s', async (_what, status, outcome) => {
    const { asked, start } = await inspector({ start: hangUp, status });
    expect(await start()).toMatch(outcome);
    expect(asked).toEqual(both);
  });
});

describe('a start whose answer is lost on the bus', () => {
  const nothing = (): Promise<Uint8Array> => new Promise(() => undefined);

  it.each<[string, () => Promise<Uint8Array>, object, RegExp]>([
    ['counts where the inspector has a run', nothing, { status: 200, body: own }, /^taken$/],
    ['fails where it has none', nothing, { status: 404, body: null }, /^the inspector did not answer within 10/],
    ['counts where what came is no reply', async () => encode('?'), { status: 200, body: own }, /^taken$/],
  ])('%s', async (_what, answerStart, status, outcome) => {
    const clock = new ManualClock('2026-03-01T10:00:00Z');
    const hub = new MemoryBusHub(clock);
    const unheard = (): void => undefined;
    await hub.open().serve(subjects.inspector('lab', 'start'), 'inspectors', answerStart, unheard);
    await hub.open().serve(subjects.inspector('lab', 'status'), 'inspectors', async () => encode(status), unheard);
    const work = starting(overBus({ bus: hub.open(), prefix: 'lab', timeoutMs: LIMIT_MS }), clock);
    await clock.advanceBy(LIMIT_MS);
    expect(await work).toMatch(outcome);
  });
});
