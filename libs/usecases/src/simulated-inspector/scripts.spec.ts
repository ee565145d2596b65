import type { JsonObject } from '@lib/domain/introspection';
import { dataOf, MAC, NODE, setUp } from '../../../../test/inspector/world';
import { BareMetalApiError } from './bare-metal-api';
import type { InspectorOptions } from './room';

describe('scripts', () => {
  const scripted = async (simulator: JsonObject, options: Partial<InspectorOptions> = {}) => {
    const world = setUp(options);
    world.api.extra = { simulator };
    await world.start();
    return world;
  };

  it('a node without a script is left alone', async () => {
    const { clock, start, status, ramdiskLog } = setUp();
    await start();
    await clock.advanceBy(600_000);
    expect(ramdiskLog()).toEqual([]);
    expect(await status()).toMatchObject({ state: 'waiting' });
  });

  it('succeed: posts after its time, not before', async () => {
    const { clock, status } = await scripted({ script: 'succeed', after: 1.5 });
    await clock.advanceBy(1499);
    expect(await status()).toMatchObject({ state: 'waiting' });
    await clock.advanceBy(1);
    expect(await status()).toMatchObject({ state: 'finished', error: null });
  });

  it('error: the run ends in error with the script’s text', async () => {
    const { clock, status } = await scripted({ script: 'error', after: 1, message: 'fan stuck' });
    await clock.advanceBy(1000);
    expect(await status()).toMatchObject({ state: 'error', finished: true, error: 'fan stuck' });
  });

  it('never: stays silent until the clean-up', async () => {
    const { clock, status, ramdiskLog } = await scripted({ script: 'never', after: 1 });
    await clock.advanceBy(3_600_000);
    expect(await status()).toMatchObject({ state: 'waiting' });
    expect(ramdiskLog()).toEqual([]);
  });

  it('twice: the second post is refused', async () => {
    const { clock, status, ramdiskLog } = await scripted({ script: 'twice', after: 1 });
    await clock.advanceBy(1000);
    expect(ramdiskLog().map((entry) => entry.status)).toEqual([200, 400]);
    expect(await status()).toMatchObject({ state: 'finished' });
  });

  it('late: posts only when the node is no longer under inspection; after an abort it is refused', async () => {
    const { api, clock, inspector, ramdiskLog, settle } = await scripted({ script: 'late', after: 1 });
    await clock.advanceBy(30_000);
    expect(ramdiskLog()).toEqual([]);
    await inspector.abort('bus', NODE);
    await settle();
    api.provisionState = 'inspect failed';
    await clock.advanceBy(1000);
    expect(ramdiskLog().map((entry) => entry.status)).toEqual([400]);
  });

  it('late: after the conductor’s own timeout the inspector, which was not told, still takes the data [1.8]', async () => {
    const { api, clock, ramdiskLog } = await scripted({ script: 'late', after: 0 });
    api.provisionState = 'inspect failed';
    await clock.advanceBy(1000);
    expect(ramdiskLog().map((entry) => entry.status)).toEqual([200]);
    expect(api.properties).toHaveProperty('cpus');
  });

  it('slow: good data after half a minute, unless it names a time', async () => {
    const { clock, status } = await scripted({ script: 'slow' });
    await clock.advanceBy(29_999);
    expect(await status()).toMatchObject({ state: 'waiting' });
    await clock.advanceBy(1);
    expect(await status()).toMatchObject({ state: 'finished', error: null });
  });

  it('after-abort: posts once the node has failed, not before', async () => {
    const { api, clock, inspector, ramdiskLog, settle } = await scripted({ script: 'after-abort' });
    for (const state of ['inspect wait', 'inspecting', 'manageable']) {
      api.provisionState = state;
      await clock.advanceBy(10_000);
    }
    expect(ramdiskLog()).toEqual([]);
    await inspector.abort('bus', NODE);
    await settle();
    api.provisionState = 'inspect failed';
    await clock.advanceBy(1000);
    expect(ramdiskLog().map((entry) => entry.status)).toEqual([400]);
  });

  it('malformed: half a body is refused, and good data may still come', async () => {
    const { clock, inspector, status, ramdiskLog } = await scripted({ script: 'malformed' });
    await clock.advanceBy(60_000);
    expect(ramdiskLog().map((entry) => entry.status)).toEqual([400]);
    expect(await status()).toMatchObject({ state: 'waiting', error: null });
    expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(200);
  });

  it('ramdisk-error: refused with its text, the row stays waiting, and right data sent later succeeds', async () => {
    const { clock, inspector, status, settle, ramdiskLog } = await scripted({
      script: 'ramdisk-error',
      after: 1,
      message: 'no disks',
    });
    await clock.advanceBy(60_000);
    expect(ramdiskLog()).toMatchObject([{ status: 400 }]);
    expect(await status()).toMatchObject({ state: 'waiting', finished: false, error: null });
    expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(200);
    await settle();
    expect(await status()).toMatchObject({ state: 'finished', error: null });
  });

  it('early: posts before the inspector knows whose it is, is refused, and lost for that boot', async () => {
    const { clock, status, ramdiskLog } = await scripted({ script: 'early' });
    expect(ramdiskLog()).toMatchObject([{ status: 400, detail: expect.stringContaining('No node') }]);
    await clock.advanceBy(600_000);
    expect([ramdiskLog().length, (await status())['state']]).toEqual([1, 'waiting']);
  });

  it('crash: nothing is heard of it', async () => {
    const { clock, status, ramdiskLog } = await scripted({ script: 'crash', after: 1 });
    await clock.advanceBy(60_000);
    expect([ramdiskLog(), (await status())['state']]).toEqual([[], 'waiting']);
  });

  describe('cache-lost', () => {
    const lost = async () => {
      const world = await scripted({ script: 'cache-lost', after: 2 });
      await world.clock.advanceBy(1999);
      expect(await world.status()).toMatchObject({ state: 'waiting' });
      await world.clock.advanceBy(1);
      return world;
    };

    it('the inspector knows nothing of the node: no status, no data, no abort', async () => {
      const { inspector } = await lost();
      expect((await inspector.status('rest', NODE)).status).toBe(404);
      expect((await inspector.data('rest', NODE, 'processed')).status).toBe(404);
      expect((await inspector.abort('rest', NODE)).status).toBe(404);
      expect((await inspector.list({})).body).toEqual({ introspection: [] });
    });

    it('the ramdisk’s data comes to somebody who knows nothing of it, and is refused for good', async () => {
      const { api, clock, inspector, ramdiskLog } = await lost();
      await clock.advanceBy(60_000);
      expect(ramdiskLog().map((entry) => entry.status)).toEqual([400]);
      expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(400);
      expect(api.properties).toEqual({});
    });

    it('the next start is one like any other', async () => {
      const { api, clock, inspector, settle, status } = await lost();
      api.extra = { simulator: { script: 'succeed', after: 1 } };
      expect((await inspector.start('bus', NODE, { manageBoot: true, attempt: 1 })).status).toBe(202);
      await settle();
      await clock.advanceBy(1000);
      expect(await status()).toMatchObject({ state: 'finished' });
    });
  });

  describe('of a machine that the conductor boots', () => {
    const booted = async (file: string | null, script: JsonObject = { script: 'succeed', after: 1 }) => {
      const posts: [string, unknown][] = [];
      const machines = {
        bootFile: async (_name: string, macs: readonly string[]) => (macs[0] === MAC ? file : null),
        post: async (url: string, body: string) => {
          if (url === 'http://dead') throw new Error('no answer');
          posts.push([url, JSON.parse(body)]);
          return 200;
        },
      };
      const world = setUp({}, { machines });
      world.api.extra = { simulator: script };
      await world.inspector.start('bus', NODE, { manageBoot: false });
      await world.clock.advanceBy(5000);
      return { ...world, posts };
    };
    const ipxe =
      '#!ipxe\nkernel k initrd=r ipa-inspection-callback-url=http://dead,http://cb/v1/continue BOOTIF=01-52-54\n';

    it('posts to the address on its command line, with the NIC that it was told of', async () => {
      const { posts, ramdiskLog } = await booted(ipxe);
      expect(posts).toEqual([['http://cb/v1/continue', expect.objectContaining({ boot_interface: '01-52-54' })]]);
      expect(ramdiskLog()).toEqual([]);
    });

    it('without a boot file was booted by hand, and posts to the inspector that it was started at', async () => {
      const { posts, ramdiskLog } = await booted(null);
      expect([posts, ramdiskLog().map((entry) => entry.status)]).toEqual([[], [200]]);
    });
  });

  it('refuse-abort: answers the error that is asked for, as often as asked for', async () => {
    const { inspector, status, settle } = await scripted({ script: 'refuse-abort', answer: 409, times: 2 });
    const answers = [await inspector.abort('bus', NODE), await inspector.abort('bus', NODE)];
    expect(answers.map((answer) => answer.status)).toEqual([409, 409]);
    expect(await status()).toMatchObject({ state: 'waiting' });
    expect((await inspector.abort('bus', NODE)).status).toBe(202);
    await settle();
    expect(await status()).toMatchObject({ state: 'error' });
  });

  it('refuse-abort: 500 by default, silence when asked for', async () => {
    expect((await (await scripted({ script: 'refuse-abort' })).inspector.abort('bus', NODE)).status).toBe(500);
    const { inspector } = await scripted({ script: 'refuse-abort', answer: 'none' });
    await expect(inspector.abort('bus', NODE)).rejects.toThrow('no answer');
    expect(inspector.requests.read(NODE).at(-1)).toMatchObject({ ask: 'abort', status: null });
  });

  it('starts are answered as the script says, until one is taken, and at the next inspection again', async () => {
    const { clock, inspector, status } = await scripted({
      script: 'succeed',
      after: 1,
      start: { answer: 503, times: 2 },
    });
    const start = async () => (await inspector.start('rest', NODE, { manageBoot: true })).status;
    expect((await inspector.status('rest', NODE)).status).toBe(404);
    expect([await start(), await start()]).toEqual([503, 202]);
    await clock.advanceBy(1000);
    expect(await status()).toMatchObject({ state: 'finished' });
    expect([await start(), await start(), await start()]).toEqual([503, 503, 202]);
  });

  it('a start may get no answer', async () => {
    const { api, inspector } = setUp();
    api.extra = { simulator: { script: 'never', start: { answer: 'none' } } };
    await expect(inspector.start('rest', NODE, { manageBoot: true })).rejects.toThrow('no answer');
    expect(inspector.requests.read(NODE)).toMatchObject([{ ask: 'start', status: null }]);
  });

  it('a start may be taken and fail behind its answer, as often as asked for', async () => {
    const start = { answer: 'error', message: 'power is stuck', times: 1 };
    const { api, clock, inspector, settle, status } = await scripted({ script: 'succeed', after: 1, start });
    expect(await status()).toMatchObject({ state: 'error', finished: true, error: 'power is stuck' });
    expect(api.calls).not.toContain('power rebooting');
    expect((await inspector.start('rest', NODE, { manageBoot: true })).status).toBe(202);
    await settle();
    await clock.advanceBy(1000);
    expect(await status()).toMatchObject({ state: 'finished', error: null });
  });

  it('which is the answer itself where the conductor manages boot', async () => {
    const { api, inspector, status } = setUp();
    api.extra = { simulator: { script: 'never', start: { answer: 'error' } } };
    const { status: code, body } = await inspector.start('rest', NODE, { manageBoot: false });
    expect([code, body]).toEqual([400, { error: { message: expect.stringContaining('could not be rebooted') } }]);
    expect(await status()).toMatchObject({ state: 'error' });
  });

  it('the status flaps where only each second question is answered by the script', async () => {
    const { inspector } = await scripted({ script: 'never', status: { answer: 503, every: 2 } });
    const asked = async () => (await inspector.status('rest', NODE)).status;
    expect([await asked(), await asked(), await asked(), await asked()]).toEqual([200, 503, 200, 503]);
  });

  it('the data may be kept from who asks, though it is there', async () => {
    const { clock, inspector, status } = await scripted({
      script: 'succeed',
      after: 1,
      data: { answer: 404, times: 2 },
    });
    await clock.advanceBy(1000);
    expect(await status()).toMatchObject({ state: 'finished', error: null });
    const asked = async () => (await inspector.data('bus', NODE, 'processed')).status;
    expect([await asked(), await asked(), await asked()]).toEqual([404, 404, 200]);
  });

  it('the status is answered as the script says, while the run goes on behind it', async () => {
    const { clock, inspector, status } = await scripted({
      script: 'succeed',
      after: 1,
      status: { answer: 404, times: 2 },
    });
    await clock.advanceBy(1000);
    const asked = async () => (await inspector.status('rest', NODE)).status;
    expect([await asked(), await asked(), await asked()]).toEqual([404, 404, 200]);
    expect(await status()).toMatchObject({ state: 'finished' });
  });

  it('the status comes late where the script wants that, as it stands by then, and is the inspector’s own', async () => {
    const { clock, status } = await scripted({ script: 'succeed', after: 1, status: { delay: 2, times: 1 } });
    const answered = jest.fn();
    void status().then(answered);
    await clock.advanceBy(1999);
    expect(answered).not.toHaveBeenCalled();
    await clock.advanceBy(1);
    expect(answered).toHaveBeenCalledWith(expect.objectContaining({ state: 'finished' }));
    expect(await status()).toMatchObject({ state: 'finished' });
  });

  it('a scripted status may come late as well', async () => {
    const { clock, inspector } = await scripted({ script: 'never', status: { delay: 2, answer: 503 } });
    const late = inspector.status('rest', NODE);
    await clock.advanceBy(2000);
    expect((await late).status).toBe(503);
  });

  it('ignore-abort: 202, stays waiting, and posts afterwards when it has a time [2.7, 2.10]', async () => {
    const { clock, inspector, status, ramdiskLog } = await scripted({ script: 'ignore-abort', after: 5 });
    await clock.advanceBy(60_000);
    expect((await inspector.abort('bus', NODE)).status).toBe(202);
    await clock.advanceBy(4999);
    expect(await status()).toMatchObject({ state: 'waiting' });
    await clock.advanceBy(1);
    expect(ramdiskLog().map((entry) => entry.status)).toEqual([200]);
  });

  it('the job of an older run does nothing in a newer one', async () => {
    const { clock, start, ramdiskLog } = await scripted({ script: 'succeed', after: 10 });
    await clock.advanceBy(9000);
    await start();
    await clock.advanceBy(9999);
    expect(ramdiskLog()).toEqual([]);
    await clock.advanceBy(1);
    expect(ramdiskLog()).toHaveLength(1);
  });

  it('the ramdisk posts again after an answer of 5xx, with the agent’s pauses', async () => {
    const { api, clock, ramdiskLog } = await scripted({ script: 'succeed', after: 1 });
    api.faults.set(
      'patch',
      Array.from({ length: 5 }, () => new BareMetalApiError(503, 'busy')),
    );
    await clock.advanceBy(1000 + 4000);
    expect(ramdiskLog().map((entry) => entry.status)).toEqual([500]);
    await clock.advanceBy(5000);
    expect(ramdiskLog().map((entry) => entry.status)).toEqual([500, 400]);
  });

  it('a fleet gives scripts to nodes that name none', async () => {
    const world = setUp({ fleet: { seed: '1', weights: { succeed: 1 }, afterMsMin: 500, afterMsMax: 500 } });
    await world.start();
    await world.clock.advanceBy(500);
    expect(await world.status()).toMatchObject({ state: 'finished' });
  });

  it('stop cancels what is still to come', async () => {
    const { clock, inspector, ramdiskLog } = await scripted({ script: 'succeed', after: 1 });
    await inspector.stop();
    await clock.advanceBy(10_000);
    expect(ramdiskLog()).toEqual([]);
    expect(clock.pending()).toBe(0);
  });
});

describe('the request log', () => {
  it('notes each call once with its answer, and drops the oldest', async () => {
    const { inspector, start } = setUp();
    await start();
    await inspector.abort('bus', NODE);
    const aborts = inspector.requests.read(NODE).filter((entry) => entry.ask === 'abort');
    expect(aborts).toEqual([{ n: 2, at: 0, via: 'bus', ask: 'abort', node: NODE, status: 202, detail: null }]);
    for (let i = 0; i < 25_000; i += 1) inspector.requests.add({ ...aborts[0]!, ask: 'status' });
    expect(inspector.requests.read().filter((entry) => entry.ask === 'status')).toHaveLength(10_000);
    expect(inspector.requests.read(NODE).some((entry) => entry.ask === 'abort')).toBe(true);
  });
});
