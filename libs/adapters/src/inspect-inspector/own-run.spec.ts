import type { InspectorReply, InspectorWord } from '@lib/contracts';
import type { BootInterface, Call } from '@lib/ports';
import { aMachine } from '@lib/testing/a-machine';
import { ManualClock } from '@lib/testing/manual-clock';
import { fakeBoot, fakeManagement, fakePower, noopNetwork } from '../hardware-fake';
import { inspectorInterface } from './index';
import { AnswerLost } from './inspector-transport';

const NODE = '6d9b7c2e-3f3a-4f0e-9b1a-0c5d5e0f7a11';
const begun = aMachine({
  uuid: NODE,
  attempt: 1,
  attemptBegunAt: Date.parse('2026-03-01T10:00:00Z'),
});
const first: Call = { signal: new AbortController().signal, stillStands: () => Promise.resolve(), isRepeated: false };
const repeated: Call = { ...first, isRepeated: true };

const accepted: InspectorReply = { status: 202, body: {} };
const refused: InspectorReply = { status: 400, body: { error: { message: 'invalid event' } } };
const run = (rest: Record<string, unknown>): InspectorReply => ({
  status: 200,
  body: { uuid: NODE, finished: false, state: 'waiting', started_at: '2026-03-01T10:00:01', error: null, ...rest },
});
const older = { started_at: '2026-03-01T09:59:59.999999' };
const failed = { state: 'error', finished: true, error: 'Canceled by operator' };

function world(answers: Partial<Record<InspectorWord, InspectorReply | AnswerLost>>) {
  const asked: InspectorWord[] = [];
  const prepareRamdisk = () => Promise.resolve({ device: 'pxe', persistent: false });
  const boot: BootInterface = { ...fakeBoot, validateInspection: () => ({ verdict: 'supported' }), prepareRamdisk };
  const inspect = inspectorInterface({
    power: () => fakePower,
    management: () => fakeManagement,
    boot: () => boot,
    network: () => noopNetwork,
    ramdisk: { apiUrl: 'http://192.0.2.1:6385', extraKernelParameters: [], forceDhcp: false, fastTrack: false },
    callbackEndpoint: 'http://192.0.2.1:5050',
    transport: {
      ask: (word) => {
        asked.push(word);
        const answer = answers[word];
        if (answer instanceof AnswerLost) return Promise.reject(answer);
        return answer ? Promise.resolve(answer) : Promise.reject(new Error('no inspector can be reached'));
      },
    },
    clock: new ManualClock('2026-03-01T10:00:00Z'),
    requireManagedBoot: null,
    resolveHost: () => Promise.resolve([]),
    logger: { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() },
  });
  const start = (call: Call, machine = begun) => inspect.startIntrospection?.(machine, { manageBoot: true }, call);
  return { asked, inspect, start };
}

describe('a start that another conductor may have asked for', () => {
  it.each<[string, Record<string, unknown>]>([
    ['is starting', { state: 'starting' }],
    ['waits', {}],
    ['is being processed', { state: 'processing' }],
    ['is finished', { state: 'finished', finished: true }],
    ['has failed', failed],
    ['began in the same millisecond', { started_at: '2026-03-01T10:00:00' }],
  ])('is not asked for again where the run of the attempt %s', async (_how, rest) => {
    const { asked, start } = world({ start: refused, status: run(rest) });
    await start(repeated);
    expect(asked).toEqual(['status']);
  });

  it.each<[string, InspectorReply | undefined]>([
    ['knows of no run', { status: 404, body: null }],
    ['has that of an attempt before', run(older)],
    ['says something else', { status: 200, body: ['?'] }],
    ['gives no time', run({ started_at: 'soon' })],
    ['does not tell', undefined],
  ])('is asked for where the inspector %s', async (_what, status) => {
    const { asked, start } = world({ start: accepted, ...(status ? { status } : {}) });
    await start(repeated);
    expect(asked).toEqual(['status', 'start']);
  });

  it('is none where the machine is booted by the conductor: that is done again, and the inspector not asked', async () => {
    const { asked, inspect } = world({ status: run({}) });
    await inspect.inspect({ ...begun, managedBoot: 'fake' }, repeated);
    expect(asked).toEqual(['status']);
  });
});

describe('a start that nobody else asked for', () => {
  it('is asked for at once', async () => {
    const { asked, start } = world({ start: accepted, status: run({}) });
    await start(first);
    expect(asked).toEqual(['start']);
  });

  it('was taken where it is refused for a run of its own', async () => {
    const { asked, start } = world({ start: refused, status: run({ state: 'starting' }) });
    await start(first);
    expect(asked).toEqual(['start', 'status']);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an older one that is being aborted', { ...older, state: 'aborting' }],
    ['its own, which has failed', failed],
  ])('fails where it is refused for %s', async (_what, rest) => {
    await expect(world({ start: refused, status: run(rest) }).start(first)).rejects.toThrow('invalid event');
  });

  it('fails where nobody knows when the attempt began', async () => {
    const { asked, start } = world({ start: refused, status: run({}) });
    await expect(start(repeated, { ...begun, attemptBegunAt: null })).rejects.toThrow('invalid event');
    expect(asked).toEqual(['start']);
  });
});

describe('a start whose answer is lost', () => {
  const lost = new AnswerLost('the inspector did not answer within 10 seconds');

  it.each<[string, Record<string, unknown>]>([
    ['is starting', { state: 'starting' }],
    ['waits', {}],
    ['is finished', { state: 'finished', finished: true }],
  ])('was taken where the run of the attempt %s', async (_how, rest) => {
    const { asked, start } = world({ start: lost, status: run(rest) });
    await start(first);
    expect(asked).toEqual(['start', 'status']);
  });

  it.each<[string, InspectorReply | undefined]>([
    ['knows of no run', { status: 404, body: null }],
    ['has that of an attempt before', run(older)],
    ['has one that failed', run(failed)],
    ['does not tell', undefined],
  ])('fails with what is known where the inspector %s', async (_what, status) => {
    const { asked, start } = world({ start: lost, ...(status ? { status } : {}) });
    await expect(start(first)).rejects.toThrow('the inspector did not answer within 10 seconds');
    expect(asked).toEqual(['start', 'status']);
  });

  it('is none where nothing was sent', async () => {
    const { asked, start } = world({ status: run({}) });
    await expect(start(first)).rejects.toThrow('no inspector can be reached');
    expect(asked).toEqual(['start']);
  });
});

describe('posted data whose answer is lost', () => {
  const lost = new AnswerLost('the inspector did not answer within 10 seconds');
  const forward = ({ inspect }: ReturnType<typeof world>) => inspect.forward?.(begun, { inventory: {} }, first);

  it.each<[string, Record<string, unknown>]>([
    ['is processing it', { state: 'processing' }],
    ['has finished', { state: 'finished', finished: true }],
    ['has failed by it', failed],
  ])('was taken where the inspector %s', async (_how, rest) => {
    const inspector = world({ continue: lost, status: run(rest) });
    await forward(inspector);
    expect(inspector.asked).toEqual(['continue', 'status']);
  });

  it.each<[string, InspectorReply | undefined]>([
    ['still waits for it', run({})],
    ['is of no state', run({ state: undefined })],
    ['knows of no run', { status: 404, body: null }],
    ['has processed that of an attempt before', run({ ...older, state: 'finished', finished: true })],
    ['does not tell', undefined],
  ])('is lost where the inspector %s', async (_what, status) => {
    const inspector = world({ continue: lost, ...(status ? { status } : {}) });
    await expect(forward(inspector)).rejects.toThrow('the inspector did not answer within 10 seconds');
    expect(inspector.asked).toEqual(['continue', 'status']);
  });

  it('was none where nothing was sent', async () => {
    const inspector = world({ status: run({ state: 'processing' }) });
    await expect(forward(inspector)).rejects.toThrow('no inspector can be reached');
    expect(inspector.asked).toEqual(['continue']);
  });
});

it('an answer that is lost is told of in its own words, whatever was asked', async () => {
  const lost = new AnswerLost('the inspector did not answer within 10 seconds');
  const { inspect, start } = world({ start: lost, continue: lost, abort: lost });
  const { forward, abort } = inspect as Required<typeof inspect>;
  const calls = [start(first), forward(begun, {}, first), abort(begun, first)].map(async (call) => call);
  const errors = (await Promise.allSettled(calls)).map((one) =>
    one.status === 'rejected' ? (one.reason as Error) : null,
  );
  // What carries another name is told of as a bug.
  expect(errors.map((error) => error && ['Error', 'HardwareError'].includes(error.name))).toEqual([true, true, true]);
  expect(new Set(errors.map((error) => error?.message))).toEqual(new Set([lost.message]));
});
