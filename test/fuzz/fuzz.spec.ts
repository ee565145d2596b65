/** The fuzzer itself, against a server that misbehaves on purpose. `npm run fuzz` is the one that looks at ours. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { runCampaign, type CampaignResult } from './index';
import { onTheWire, type FuzzRequest } from './fuzz-request';
import { complaints } from './judge';
import { requestsOf } from './requests';
import { send } from './wire';

const SEED = 4711;
const REQUESTS = 80;
const ID = 'req-01234567-89ab-cdef-0123-456789abcdef';
const ids = { 'x-openstack-request-id': ID, 'openstack-request-id': ID };
const headers = { ...ids, 'content-type': 'application/json' };
const fault = (faultcode = 'Client'): string =>
  JSON.stringify({ error_message: JSON.stringify({ faultcode, faultstring: 'no', debuginfo: null }) });

const answer = (status: number, named: Readonly<Record<string, string>>, body: string): string =>
  [`HTTP/1.1 ${status} No`, ...Object.entries(named).map(([name, value]) => `${name}: ${value}`), '', body].join(
    '\r\n',
  );

const refusal = answer(404, headers, fault());

/** What it does to a socket instead of refusing. */
type Misbehaviour = (socket: Socket) => void;

/** Refuses whatever begins, but where it misbehaves. */
async function server(misbehaves: (first: string) => Misbehaviour | undefined) {
  const sockets = new Set<Socket>();
  const listening = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('end', () => socket.end());
    socket.once('data', (chunk: Buffer) => {
      const first = chunk.toString('latin1');
      const misbehave = misbehaves(first);
      if (misbehave) return misbehave(socket);
      socket.end(first.startsWith('HEAD ') ? answer(404, headers, '') : refusal);
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        listening.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function campaign(misbehaves: (first: string) => Misbehaviour | undefined): Promise<CampaignResult> {
  const { url, stop } = await server(misbehaves);
  try {
    return await runCampaign({ url, seed: SEED, requests: REQUESTS, patience: 30 });
  } finally {
    await stop();
  }
}

/** Of the requests of the seed, one of these and no other: the first that was made as described. */
const victim = requestsOf(SEED, REQUESTS).find(({ kind, method }) => kind === 'described' && method !== 'HEAD');
const isVictim = (first: string): boolean => first.startsWith(`${victim?.method} ${victim?.target} `);

describe('requests', () => {
  const requests = requestsOf(SEED, 200);

  it('are the same for the same seed, and others for another', () => {
    const bytes = (all: readonly FuzzRequest[]) => all.map((one) => onTheWire(one).toString('latin1'));
    expect(bytes(requestsOf(SEED, 200))).toEqual(bytes(requests));
    expect(bytes(requestsOf(SEED + 1, 200))).not.toEqual(bytes(requests));
  });

  it('are of all kinds, with all methods and many versions', () => {
    expect(new Set(requests.map(({ kind }) => kind)).size).toBe(4);
    const methods = new Set(requests.map(({ method }) => method));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) expect(methods).toContain(method);
    const versions = requests.flatMap((one) =>
      one.headers.filter(([name]) => /Version/.test(name)).map(([, value]) => value),
    );
    expect(new Set(versions).size).toBeGreaterThan(12);
  });

  it('go over the wire whole, in pieces as well', () => {
    const request: FuzzRequest = {
      ...{ kind: 'described', method: 'PUT', target: '/x', headers: [['A', 'b']], framing: 'chunked' },
      body: Buffer.from('hello'),
    };
    expect(onTheWire(request).toString()).toBe(
      'PUT /x HTTP/1.1\r\nA: b\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    );
  });
});

describe('a campaign', () => {
  it('finds nothing where all is refused as it should be', async () => {
    const { findings, requests, statuses } = await campaign(() => undefined);
    expect([findings, requests]).toEqual([[], REQUESTS]);
    expect(statuses[404]).toBeGreaterThan(REQUESTS / 2);
  }, 60_000);

  it.each<readonly [string, Misbehaviour, RegExp]>([
    ['an internal error', (socket) => socket.end(answer(500, headers, fault('Server'))), /status 500/],
    ['an answer of another shape', (socket) => socket.end(answer(400, headers, '{"error":"no"}')), /body/],
    ['no request id', (socket) => socket.end(answer(404, {}, fault())), /request id/],
    ['a closed connection', (socket) => socket.destroy(), /no answer: the connection was closed/],
    ['a hang', () => undefined, /no answer while 30 later requests were answered/],
    [
      'an injected header',
      (socket) => socket.end(answer(404, { ...headers, 'x-injected': '1' }, fault())),
      /became a header/,
    ],
  ])(
    'finds %s',
    async (_, misbehave, reason) => {
      const { findings } = await campaign((first) => (isVictim(first) ? misbehave : undefined));
      expect(findings.length).toBeGreaterThan(0);
      expect(findings[0]?.complaints.join()).toMatch(reason);
      expect(findings[0]?.request).toContain(victim?.target);
    },
    60_000,
  );

  it('ends, and says so, where there is no server', async () => {
    const { url, stop } = await server(() => undefined);
    await stop();
    const { findings } = await runCampaign({ url, seed: SEED, requests: 20 });
    expect(findings.length).toBeGreaterThan(10);
  }, 60_000);
});

describe('an answer', () => {
  const request: FuzzRequest = {
    kind: 'described',
    method: 'GET',
    target: '/v1/x',
    headers: [],
    body: null,
    framing: 'length',
  };

  it('must be as long as it says', () => {
    const answer = { status: 404, headers: { ...headers, 'content-length': '3' }, text: fault() };
    expect(complaints(request, answer)).toEqual([expect.stringMatching(/bytes where Content-Length says 3/)]);
  });

  it('may be missing only where there was no request', () => {
    expect(complaints(request, null)).toHaveLength(1);
    expect(complaints({ ...request, kind: 'broken' }, null)).toEqual([]);
  });

  it('is read past the one that says to go on', async () => {
    const { url, stop } = await server(() => (socket) => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${refusal}`));
    try {
      expect(await send(new URL(url), onTheWire(request), false).answer).toMatchObject({ status: 404, text: fault() });
    } finally {
      await stop();
    }
  });
});
