import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { ManualClock } from '@lib/testing/manual-clock';
import { exchangeOnce, HttpConnections, NoAnswer, reasonIn } from '..';
import type { Circumstances, HttpAsk, Way } from '..';
import { serve } from './served';
import type { Handler, Served } from './served';

const GET: HttpAsk = { method: 'GET', path: '/a?b=c', headers: {} };
const usual = { connectionsMax: 2, idleMsMax: 60_000, connectTimeoutMs: 60_000, bytesMax: 1000 };

let clock: ManualClock;
let served: Served;
const opened: HttpConnections[] = [];
const abort = new AbortController();

beforeEach(() => (clock = new ManualClock('2026-03-01T10:00:00Z')));
afterEach(async () => {
  for (const one of opened.splice(0)) one.close();
  await served.close();
});

async function connections(handle?: Handler, differs: Partial<Way> = {}): Promise<HttpConnections> {
  served = await serve(handle);
  const made = new HttpConnections({ origin: `http://${served.host}`, ...usual, ...differs });
  opened.push(made);
  return made;
}

const within = (patience: Circumstances['patience'] = {}, signal = abort.signal): Circumstances => ({
  patience,
  clock,
  signal,
});

/** Why there was none, as `kind, reach` and the system's words. */
const why = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'an answer',
    (error: NoAnswer) =>
      [error.kind, error.reach, error.cause && reasonIn(error.cause).text].filter(Boolean).join(', '),
  );

/** Until the server has seen so many requests. */
const arrived = async (count: number): Promise<void> => {
  while (served.seen.length < count) await new Promise((resolve) => setTimeout(resolve, 2));
};

const silent: Handler = () => undefined;

describe('an exchange', () => {
  it('has the status, the headers and the text of the answer', async () => {
    const http = await connections((_request, response) => {
      response.writeHead(404, { ETag: '"1"', 'X-Twice': ['a', 'b'] }).end('gön');
    });
    const ask = { method: 'PATCH', path: '/x', headers: { 'X-One': '1' }, body: '{"ö":1}' };
    expect(await http.exchange(ask, within())).toMatchObject({
      status: 404,
      headers: { etag: '"1"', 'x-twice': 'a' },
      text: 'gön',
    });
    expect(served.seen).toMatchObject([
      { line: 'PATCH /x', headers: { host: served.host, 'x-one': '1', 'content-length': '8' }, body: '{"ö":1}' },
    ]);
    expect(clock.pending()).toBe(0);
  });

  it('takes its body as it comes', async () => {
    const http = await connections();
    const body = Readable.from(
      (async function* () {
        yield Buffer.from('{"half":');
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield Buffer.from('1}');
      })(),
    );
    await http.exchange({ method: 'POST', path: '/x', headers: {}, body }, within());
    expect(served.seen).toMatchObject([{ headers: { 'transfer-encoding': 'chunked' }, body: '{"half":1}' }]);
  });

  it('follows no redirection', async () => {
    const http = await connections((_request, response) => void response.writeHead(301, { Location: '/b' }).end());
    expect(await http.exchange(GET, within())).toMatchObject({ status: 301, headers: { location: '/b' } });
    expect(served.seen).toHaveLength(1);
  });

  it('passes over what comes before an answer', async () => {
    const http = await connections((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.end('yes');
    });
    expect(await http.exchange(GET, within())).toMatchObject({ status: 200, text: 'yes' });
  });

  it('reads no further than the head where that is enough', async () => {
    const http = await connections((_request, response) => void response.writeHead(200).write('x'));
    expect(await http.exchange(GET, { ...within(), isHeadEnough: true })).toMatchObject({ status: 200, text: '' });
  });

  it('says who asks, as its address says, unless its headers do', async () => {
    const http = await connections();
    const origin = `http://me:se%40cret@${served.host}`;
    const known = new HttpConnections({ origin, ...usual });
    opened.push(known);
    await known.exchange(GET, within());
    await known.exchange({ ...GET, headers: { Authorization: 'Bearer t' } }, within());
    await http.exchange(GET, within());
    const basic = `Basic ${Buffer.from('me:se@cret').toString('base64')}`;
    expect(served.seen.map(({ headers }) => headers.authorization)).toEqual([basic, 'Bearer t', undefined]);
  });
});

describe('no answer', () => {
  it('where nobody listens', async () => {
    const http = await connections();
    await served.close();
    expect(await why(http.exchange(GET, within()))).toMatch(/^broken, nowhere, connect ECONNREFUSED/);
  });

  it('where the peer hangs up on the question, or in its answer', async () => {
    const http = await connections((request, response) => {
      if (request.method === 'GET') return void request.socket.destroy();
      response.writeHead(200, { 'Content-Length': '9' }).write('half', () => request.socket.destroy());
    });
    expect(await why(http.exchange(GET, within()))).toMatch(/^broken, asked, (socket hang up|read ECONNRESET)$/);
    expect(await why(http.exchange({ ...GET, method: 'POST' }, within()))).toMatch(/^broken, answered, \S/);
  });

  it('where the whole takes too long, by the clock that is handed in', async () => {
    const http = await connections((_request, response) => void response.writeHead(200).write('x'));
    const reason = why(http.exchange(GET, within({ wholeMs: 5000 })));
    await arrived(1);
    await clock.advanceBy(4999);
    expect(clock.pending()).toBe(1);
    await clock.advanceBy(1);
    expect(await reason).toMatch(/^time, /);
    expect(clock.pending()).toBe(0);
  });

  it('where the peer is silent too long, each of its words counting', async () => {
    let say: () => void = () => undefined;
    let heard: Promise<void> | undefined;
    const http = await connections((_request, response) => {
      say = () => response.write('x');
    });
    const set = clock.after.bind(clock);
    const rearmed = (): void =>
      void (heard = new Promise((resolve) =>
        jest.spyOn(clock, 'after').mockImplementationOnce((...args) => (resolve(), set(...args))),
      ));
    const reason = why(http.exchange(GET, within({ silenceMs: 1000 })));
    await arrived(1);
    for (let words = 0; words < 3; words += 1) {
      await clock.advanceBy(900);
      rearmed();
      say();
      await heard;
    }
    await clock.advanceBy(1000);
    expect(await reason).toBe('time, answered');
  });

  it('where no connection is free in time: it is not sent later either', async () => {
    const http = await connections(silent, { connectionsMax: 1 });
    const first = why(http.exchange(GET, within({ wholeMs: 9000 })));
    await arrived(1);
    const second = why(http.exchange({ ...GET, path: '/second' }, within({ queueMs: 2000 })));
    await clock.advanceBy(2000);
    expect(await second).toBe('queue, nowhere');
    await clock.advanceBy(7000);
    expect(await first).toBe('time, asked');
    const third = why(http.exchange({ ...GET, path: '/third' }, within({ wholeMs: 1000 })));
    await arrived(2);
    await clock.advanceBy(1000);
    expect(await third).toBe('time, asked');
    expect(served.seen.map(({ line }) => line)).toEqual(['GET /a?b=c', 'GET /third']);
  });

  it('where no connection can be made in time', async () => {
    served = await serve();
    const mute = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    const { port } = mute.address() as { port: number };
    const way = { origin: `https://127.0.0.1:${port}`, connectTimeoutMs: 100, bytesMax: 0 };
    expect(await why(exchangeOnce(way, GET, within()))).toMatch(/^connection, nowhere/);
    await new Promise((resolve) => mute.close(resolve));
  });

  it('where it is larger than it may be', async () => {
    const http = await connections((request, response) => {
      response.end('x'.repeat(request.method === 'GET' ? 1000 : 1001));
    });
    expect(await why(http.exchange(GET, within()))).toBe('an answer');
    expect(await why(http.exchange({ ...GET, method: 'POST' }, within()))).toMatch(/^size, answered/);
  });

  it('where the call is given up: before, while it waits and in the middle', async () => {
    const http = await connections(silent, { connectionsMax: 1 });
    expect(await why(http.exchange(GET, within({}, AbortSignal.abort())))).toBe('given up, nowhere');
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = why(http.exchange(GET, within({ silenceMs: 9000 }, first.signal)));
    await arrived(1);
    const waiting = why(http.exchange({ ...GET, path: '/never' }, within({ queueMs: 9000 }, second.signal)));
    second.abort();
    expect(await waiting).toBe('given up, nowhere');
    first.abort();
    expect(await asked).toBe('given up, asked');
    expect(clock.pending()).toBe(0);
    expect(served.seen).toHaveLength(1);
  });

  it('where what is asked is no HTTP', async () => {
    const http = await connections();
    expect(await why(http.exchange({ ...GET, headers: { a: 'b\nc' } }, within()))).toMatch(/^broken, nowhere, invalid/);
    expect(await why(http.exchange({ ...GET, path: '/a b' }, within()))).toMatch(/^broken, nowhere, invalid/);
  });
});

describe('connections', () => {
  const many = (http: HttpConnections, count: number) =>
    Promise.all(Array.from({ length: count }, () => http.exchange(GET, within())));

  it('are kept, and never more than a number', async () => {
    const http = await connections();
    for (let turn = 0; turn < 3; turn += 1) await http.exchange(GET, within());
    await many(http, 20);
    expect(served.connections.length).toBeLessThanOrEqual(2);
  });

  it('are new for each request where none is kept, also for those that had to wait', async () => {
    const http = await connections(undefined, { idleMsMax: null });
    await many(http, 10);
    expect(served.seen.map(({ connection }) => connection).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, n) => n + 1),
    );
    expect(served.seen.every(({ headers }) => headers.connection === 'close')).toBe(true);
  });

  it('are closed when nobody has used them for a while, and made again', async () => {
    const http = await connections(undefined, { idleMsMax: 20 });
    await many(http, 4);
    const closed = Promise.all(served.connections.map((one) => new Promise((resolve) => one.once('close', resolve))));
    await closed;
    await http.exchange(GET, within());
    expect(served.seen).toHaveLength(5);
  });

  it('are closed with what is under way', async () => {
    const http = await connections(silent);
    const reason = why(http.exchange(GET, within()));
    await arrived(1);
    http.close();
    expect(await reason).toMatch(/^broken, asked, /);
    expect(await why(http.exchange(GET, within()))).toMatch(/^broken, nowhere, /);
  });

  it('to one that hangs are no hindrance at another', async () => {
    const hanging = await connections(silent, { connectionsMax: 1 });
    const [hung] = [served];
    void why(hanging.exchange(GET, within()));
    const other = await connections();
    expect(await other.exchange(GET, within())).toMatchObject({ status: 200 });
    await hung.close();
  });
});
