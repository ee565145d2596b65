import type { JsonObject } from '@lib/domain/introspection';
import { NODE, setUp } from '../../../../test/inspector/world';
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

  it('late: after the conductor’s own timeout the inspector, which was not told, still takes the data', async () => {
    const { api, clock, ramdiskLog } = await scripted({ script: 'late', after: 0 });
    api.provisionState = 'inspect failed';
    await clock.advanceBy(1000);
    expect(ramdiskLog().map((entry) => entry.status)).toEqual([200]);
    expect(api.properties).toHaveProperty('cpus');
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

  it('ignore-abort: 202, stays waiting, and posts afterwards when it has a time', async () => {
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
