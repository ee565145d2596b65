import { decode, encode, subjects } from '@lib/contracts';
import type { InspectorReply, InspectorRequest, InspectorWord } from '@lib/contracts';
import type { BootInterface, Call, Machine } from '@lib/ports';
import { aMachine } from '@lib/testing/a-machine';
import { ManualClock } from '@lib/testing/manual-clock';
import { fakeBoot, fakeManagement, fakePower, noopNetwork } from '../hardware-fake';
import { MemoryBusHub } from '../message-bus-memory';
import { inspectorInterface, overBus } from './index';

const NODE = '6d9b7c2e-3f3a-4f0e-9b1a-0c5d5e0f7a11';
const PREFIX = 'lab';
const machine = aMachine({
  uuid: NODE,
  driverInfo: { redfish_address: 'https://192.0.2.7/redfish/v1' },
  attempt: 1,
});
const standing: Call = { signal: new AbortController().signal, stillStands: () => Promise.resolve() };

const ok = (body: unknown): InspectorReply => ({ status: 200, body });
const refused = (status: number, message: string): InspectorReply => ({ status, body: { error: { message } } });
const taken: InspectorReply = { status: 202, body: {} };

type Answer = InspectorReply | 'silence' | 'nonsense';

/** An inspector that answers each call with the next of the answers given; the last one again and again. */
function world(requireManagedBoot: boolean | null = null, callbackEndpoint = 'http://192.0.2.1:5050') {
  const clock = new ManualClock('2026-03-01T10:00:00Z');
  const hub = new MemoryBusHub(clock);
  const logger = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const asked: { word: InspectorWord; request: InspectorRequest; atMs: number }[] = [];
  const startMs = clock.now();

  async function answers(word: InspectorWord, ...replies: readonly Answer[]): Promise<void> {
    let turn = 0;
    const handle = async ({ body }: { body: Uint8Array }): Promise<Uint8Array> => {
      asked.push({ word, request: decode<InspectorRequest>(body), atMs: clock.now() - startMs });
      const reply = replies[Math.min(turn++, replies.length - 1)] ?? 'silence';
      if (reply === 'silence') return new Promise(() => undefined);
      return reply === 'nonsense' ? Buffer.from('<html>') : encode(reply);
    };
    await hub.open().serve(subjects.inspector(PREFIX, word), 'inspector', handle, () => undefined);
  }

  const steps: string[] = [];
  const ipxe: BootInterface = {
    ...fakeBoot,
    validateInspection: () => ({ verdict: 'supported' }),
    prepareRamdisk: async (_machine, parameters) => {
      steps.push(`prepare ${parameters.join(' ')}, told ${asked.length}`);
      return { device: 'pxe', persistent: false };
    },
  };
  const inspect = inspectorInterface({
    power: () => ({
      ...fakePower,
      change: (one, target, seconds, call) => {
        steps.push(`${target}, told ${asked.length}`);
        return fakePower.change(one, target, seconds, call);
      },
    }),
    management: () => fakeManagement,
    boot: (name) => (name === 'ipxe' ? ipxe : fakeBoot),
    network: () => noopNetwork,
    ramdisk: { apiUrl: 'http://192.0.2.1:6385', extraKernelParameters: [], forceDhcp: false, fastTrack: false },
    callbackEndpoint,
    transport: overBus({ bus: hub.open(), prefix: PREFIX, timeoutMs: 10_000 }),
    clock,
    requireManagedBoot,
    resolveHost: () => Promise.resolve([]),
    logger,
  });
  const start = (manageBoot = true, call = standing) => inspect.startIntrospection?.(machine, { manageBoot }, call);
  const request = (word: 'start' | 'abort', call = standing) =>
    word === 'start' ? start(true, call) : inspect.abort?.(machine, call);
  const report = () => inspect.report?.(NODE, standing);
  return { clock, hub, logger, asked, answers, inspect, start, request, report, steps };
}

/** What the promise comes to while the clock runs on. */
async function after(clock: ManualClock, durationMs: number, work: Promise<unknown> | undefined): Promise<string> {
  const outcome = (work ?? Promise.reject(new Error('not offered'))).then(
    () => 'done',
    (error: Error) => error.message,
  );
  await clock.advanceBy(durationMs);
  return outcome;
}

describe('starting to inspect with the interface inspector', () => {
  it('caches the addresses of the BMC, manages no boot, and waits [1.27]', async () => {
    const { inspect, asked } = world();
    expect(await inspect.inspect(machine, standing)).toEqual({
      returned: 'INSPECTWAIT',
      manageBoot: false,
      lookupBmcAddresses: ['192.0.2.7'],
    });
    expect(asked).toEqual([]);
  });

  it('is refused where managed boot is required and the boot interface does not offer it', async () => {
    const { inspect } = world(true);
    expect(inspect.validate(machine)).toMatch(/^Driver fake does not support managed boot/);
    await expect(inspect.inspect(machine, standing)).rejects.toThrow('managed boot');
    expect(world(false).inspect.validate(machine)).toBeNull();
    expect(world(null).inspect.validate(machine)).toBeNull();
  });

  describe('with a boot interface that boots the ramdisk', () => {
    const managed: Machine = { ...machine, bootInterface: 'ipxe', managedBoot: 'ipxe' };

    it('prepares it, tells the inspector, and only then powers on', async () => {
      const { inspect, answers, asked, steps } = world();
      await answers('start', taken);
      expect(await inspect.inspect(managed, standing)).toMatchObject({
        returned: 'INSPECTWAIT',
        manageBoot: true,
        callbackUrl: expect.stringMatching(/^http.*continue$/) as unknown,
      });
      expect(asked.map(({ request }) => request)).toEqual([{ node: NODE, manageBoot: false, attempt: 1 }]);
      expect(steps).toEqual([
        'power off, told 0',
        'prepare ipa-inspection-callback-url=http://192.0.2.1:5050/v1/continue, told 0',
        'power on, told 1',
      ]);
    });

    it('is not started by an inspector that refuses, and the machine stays off', async () => {
      const { inspect, answers, steps } = world();
      await answers('start', refused(400, 'not in this state'));
      const work = inspect.inspect(managed, standing);
      await expect(work).rejects.toThrow('unable to start inspection: not in this state');
      expect(steps.at(-1)).toMatch(/^prepare/);
    });

    it.each([
      ['http://192.0.2.1:5050/v1', 'http://192.0.2.1:5050/v1/continue'],
      ['http://inspector.example/base/', 'http://inspector.example/base/v1/continue'],
      ['mdns', 'mdns'],
    ])('sends the ramdisk of %s to %s', async (endpoint, url) => {
      const { inspect, answers, steps } = world(null, endpoint);
      await answers('start', taken);
      await inspect.inspect(managed, standing);
      expect(steps[1]).toContain(`ipa-inspection-callback-url=${url},`);
    });

    it.each(['http://127.0.0.1:5050', 'http://localhost:5050', 'http://[::1]:5050/v1'])(
      'touches nothing where the inspector is at %s, which every machine takes for itself',
      async (endpoint) => {
        const { inspect, steps } = world(null, endpoint);
        const work = inspect.inspect(managed, standing);
        await expect(work).rejects.toThrow(/^unable to start inspection: .*callback_endpoint_override/);
        expect(steps).toEqual([]);
      },
    );

    it('is accepted also where managed boot is required', () => {
      const { inspect } = world(true);
      expect([inspect.validate(managed), inspect.managesBoot?.(managed)]).toEqual([null, true]);
      expect(inspect.managesBoot?.(machine)).toBe(false);
    });
  });

  it.each([true, false])('tells the inspector who manages boot: %s', async (manageBoot) => {
    const { answers, start, asked } = world();
    await answers('start', taken);
    await start(manageBoot);
    expect(asked).toEqual([{ word: 'start', request: { node: NODE, manageBoot, attempt: 1 }, atMs: 0 }]);
  });
});

describe.each(['start', 'abort'] as const)('asking the inspector to %s', (word) => {
  it('tries again while it is busy, at growing intervals', async () => {
    const { clock, answers, asked, request } = world();
    await answers(word, refused(409, 'locked'), refused(503, 'starting'), refused(409, 'locked'), taken);
    expect(await after(clock, 5000, request(word))).toBe('done');
    expect(asked.map(({ atMs }) => atMs)).toEqual([0, 400, 1200, 2800]);
  });

  it('fails with its reason when it is busy six times', async () => {
    const { clock, answers, asked, request } = world();
    await answers(word, refused(409, 'Node is locked, please, retry later'));
    expect(await after(clock, 60_000, request(word))).toBe('Node is locked, please, retry later');
    expect(asked).toHaveLength(6);
  });

  it('asks no more once what it serves no longer stands', async () => {
    const { clock, answers, asked, request } = world();
    await answers(word, refused(409, 'locked'));
    const stillStands = jest.fn().mockResolvedValueOnce(undefined).mockRejectedValue(new Error('no longer wanted'));
    expect(await after(clock, 60_000, request(word, { ...standing, stillStands }))).toBe('no longer wanted');
    expect(asked).toHaveLength(2);
  });

  it('ends at once, without a timer of its own, when its limit passes', async () => {
    const { clock, answers, asked, request } = world();
    await answers(word, refused(409, 'locked'));
    const limit = new AbortController();
    const work = after(clock, 100, request(word, { ...standing, signal: limit.signal }));
    await clock.advanceBy(0);
    limit.abort();
    expect(await work).toMatch('given up');
    await clock.advanceBy(60_000);
    expect(asked).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });

  it.each([
    [400, 'Invalid provision state for introspection'],
    [500, 'Internal server error'],
  ])('fails on %d with the text of the answer', async (status, text) => {
    const { clock, answers, asked, request } = world();
    await answers(word, refused(status, text));
    expect(await after(clock, 60_000, request(word))).toBe(text);
    expect(asked).toHaveLength(1);
  });

  it('names the status where the answer has no text', async () => {
    const { clock, answers, request } = world();
    await answers(word, { status: 502, body: null });
    expect(await after(clock, 0, request(word))).toMatch('status 502');
  });

  it('says so when nobody is there, when nobody answers, when the bus is gone, and when nonsense comes', async () => {
    const { clock, hub, answers, request } = world();
    expect(await after(clock, 0, request(word))).toMatch('no inspector is running');
    hub.interrupt();
    expect(await after(clock, 0, request(word))).toMatch('bus can not be reached');
    hub.restore();
    await answers(word, 'silence', 'nonsense');
    expect(await after(clock, 10_000, request(word))).toMatch('did not answer within 10 seconds');
    expect(await after(clock, 0, request(word))).toMatch('no reply of its API');
  });
});

describe('aborting with the interface inspector', () => {
  it.each([taken, refused(404, 'Node was not found in the cache')])(
    'takes status $status as accepted [1.21, 2.6, 2.8]',
    async (reply) => {
      const { clock, answers, asked, request } = world();
      await answers('abort', reply);
      expect(await after(clock, 0, request('abort'))).toBe('done');
      expect(asked).toEqual([{ word: 'abort', request: { node: NODE }, atMs: 0 }]);
    },
  );

  it('takes an inspector that is busy aborting as one that has accepted, and no other', async () => {
    const { clock, answers, request } = world();
    await answers('abort', refused(409, 'locked'));
    await answers('status', ok({ uuid: NODE, state: 'starting' }), ok({ uuid: NODE, state: 'aborting' }));
    expect(await after(clock, 400, request('abort'))).toBe('done');
  });
});

describe('starting where the inspector does not know the node', () => {
  it('fails: only an abort has nothing to do then', async () => {
    const { clock, answers, request } = world();
    await answers('start', refused(404, 'Node was not found'));
    expect(await after(clock, 0, request('start'))).toBe('Node was not found');
  });
});

describe('handing on what a ramdisk posted to us', () => {
  const data = { inventory: { hostname: 'n1' }, error: null };

  it('gives it to the inspector as it came, once that has time', async () => {
    const { clock, answers, asked, inspect } = world();
    await answers('continue', refused(409, 'locked'), ok({ uuid: NODE }));
    expect(await after(clock, 60_000, inspect.forward?.(machine, data, standing))).toBe('done');
    expect(asked.map(({ request }) => request)).toEqual([
      { node: NODE, data },
      { node: NODE, data },
    ]);
  });

  it.each([400, 404, 500])('leaves it to the inspector what it makes of the data (%d)', async (status) => {
    const { clock, answers, inspect, logger } = world();
    await answers('continue', refused(status, 'no such node'));
    expect(await after(clock, 0, inspect.forward?.(machine, data, standing))).toBe('done');
    expect(logger.warn).toHaveBeenCalledWith({ node: NODE, status, reason: 'no such node' }, expect.any(String));
  });

  it('fails where there is no answer', async () => {
    const { clock, answers, inspect } = world();
    expect(await after(clock, 0, inspect.forward?.(machine, data, standing))).toMatch('no inspector is running');
    await answers('continue', 'silence');
    expect(await after(clock, 10_000, inspect.forward?.(machine, data, standing))).toMatch('within 10 seconds');
  });
});

describe('how an introspection stands', () => {
  const status = (rest: Record<string, unknown>): InspectorReply =>
    ok({ uuid: NODE, finished: false, state: 'waiting', started_at: '2026-03-01T09:59:58', error: null, ...rest });
  const startedAt = Date.parse('2026-03-01T09:59:58Z');

  it('is running while it is neither finished nor wrong, whatever its state is called', async () => {
    const { answers, report } = world();
    await answers('status', status({}), status({ state: 'finished' }));
    expect(await report()).toEqual({ state: 'running' });
    expect(await report()).toEqual({ state: 'running' });
  });

  it('is ended with its data, its start read as UTC', async () => {
    const { answers, report, asked } = world();
    const data = { inventory: { cpu: { count: 4 } }, root_disk: { name: '/dev/sda' } };
    await answers('status', status({ finished: true }));
    await answers('data', ok(data));
    expect(await report()).toEqual({ state: 'ended', startedAt, error: null, data });
    expect(asked.map(({ word, request }) => [word, request])).toEqual([
      ['status', { node: NODE }],
      ['data', { node: NODE }],
    ]);
  });

  it.each([
    ['2026-03-01T09:59:58.123456', startedAt + 123],
    ['2026-03-01T09:59:58Z', startedAt],
    ['2026-03-01T10:59:58+01:00', startedAt],
  ])('reads %s', async (text, wanted) => {
    const { answers, report } = world();
    await answers('status', status({ finished: true, error: 'x', started_at: text }));
    expect(await report()).toMatchObject({ startedAt: wanted });
  });

  it.each([true, false])(
    'is an error first, finished or not (%s), and no data is asked for [1.19, 2.19]',
    async (finished) => {
      const { answers, report, asked } = world();
      await answers('status', status({ finished, error: 'Canceled by operator' }));
      await answers('data', ok({}));
      expect(await report()).toEqual({ state: 'ended', startedAt, error: 'Canceled by operator', data: null });
      expect(asked.map(({ word }) => word)).toEqual(['status']);
    },
  );

  it.each<[string, Answer]>([
    ['none is kept', refused(404, 'Introspection data was not found')],
    ['the answer is no object', ok(['inventory'])],
    ['the answer is nonsense', 'nonsense'],
  ])('is finished without data when %s, and the log says so', async (_why, reply) => {
    const { answers, report, logger } = world();
    await answers('status', status({ finished: true }));
    await answers('data', reply);
    expect(await report()).toEqual({ state: 'ended', startedAt, error: null, data: null });
    expect(logger.warn).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Answer]>([
    ['an unknown node', refused(404, 'Node was not found in the cache')],
    ['an internal error', refused(500, 'Internal server error')],
    ['nonsense', 'nonsense'],
    ['a status without its fields', ok({ uuid: NODE })],
    ['a start that is no time', status({ finished: true, started_at: 'yesterday' })],
    ['an empty answer', ok(null)],
  ])('is unknown after %s', async (_what, reply) => {
    const { answers, report, logger } = world();
    await answers('status', reply);
    expect(await report()).toEqual({ state: 'unknown' });
    expect(logger.warn).toHaveBeenCalledTimes(1);
  });

  it('is unknown while the inspector is away or silent', async () => {
    const { clock, answers, report } = world();
    expect(await report()).toEqual({ state: 'unknown' });
    await answers('status', 'silence');
    const silent = report();
    await clock.advanceBy(10_000);
    expect(await silent).toEqual({ state: 'unknown' });
  });
});
