import { openMemoryLog } from '@lib/adapters/event-log-memory';
import { JetStreamEventStream } from '@lib/adapters/event-stream-jetstream';
import { systemClock } from '@lib/adapters/system-clock';
import { subjects } from '@lib/contracts';
import type { EventMessage } from '@lib/contracts';
import type { EventLog } from '@lib/ports';
import { startBroker } from '@lib/testing';
import type { Broker } from '@lib/testing';
import { EventPublisher } from '@lib/usecases/publish-events';
import { connect } from 'nats';
import { subscribeEvents } from './index';
import type { EventSubscription, SubscribeOptions } from './index';

const UUID = '1be26c0b-03f2-4d2e-ae87-c02d7f33c123';
const LIMIT_MS = 60_000;
const prefix = 'site-one';
const quiet = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };

let broker: Broker;
let log: EventLog;
let stream: JetStreamEventStream;
let publisher: EventPublisher;
const subscriptions: EventSubscription[] = [];

beforeEach(async () => {
  broker = await startBroker();
  ({ log } = openMemoryLog({ schemas: [], clock: systemClock }));
  stream = await JetStreamEventStream.connect({
    url: broker.url,
    name: 'publisher',
    logId: await log.logId(),
    streamName: subjects.streamName(prefix),
    subject: subjects.allEvents(prefix),
  });
  await stream.cursor();
  publisher = new EventPublisher({ log, stream, prefix, clock: systemClock, logger: quiet });
  publisher.start();
});

afterEach(async () => {
  await Promise.all(subscriptions.splice(0).map((one) => one.stop()));
  await publisher.stop();
  await stream.close();
  await log.close();
  await broker.stop();
});

let commands = 0;
async function append(count: number, type = 'InspectionStarted'): Promise<void> {
  for (let i = 0; i < count; i++) {
    const meta = { commandId: `c${++commands}`, requestId: 'r', actor: null, source: 's', at: 1, causation: null };
    const events = [{ type, schema: 1, data: { attempt: i } }];
    await log.append({ writes: [{ stream: `node/${UUID}`, expected: 'any', events }], changes: [], meta });
  }
}

const upTo = (last: number, from = 1): number[] => Array.from({ length: last - from + 1 }, (_, i) => from + i);

async function subscribe(seen: EventMessage[], rest: Partial<SubscribeOptions> = {}): Promise<EventSubscription> {
  const onEvent = (event: EventMessage): void => void seen.push(event);
  const one = await subscribeEvents({ natsUrl: broker.url, prefix, durable: 'reader', onEvent, ...rest });
  subscriptions.push(one);
  return one;
}

const positionsOf = (events: readonly EventMessage[]): number[] => events.map(({ position }) => position);

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause();
}

test(
  'hands over what was there before and what comes, as it was published',
  async () => {
    await append(3);
    const seen: EventMessage[] = [];
    const subscription = await subscribe(seen);
    await until(() => seen.length === 3);
    await append(2);
    await until(() => seen.length === 5);
    expect(positionsOf(seen)).toEqual(upTo(5));
    expect(seen[0]).toEqual({
      logId: await log.logId(),
      position: 1,
      stream: `node/${UUID}`,
      version: 1,
      type: 'InspectionStarted',
      schema: 1,
      data: { attempt: 0 },
      meta: expect.objectContaining({ requestId: 'r', source: 's' }),
      recordedAt: expect.any(Number),
    });
    expect(subscription.position).toBe(5);
  },
  LIMIT_MS,
);

test('the broker killed and started again under way: nothing lost, doubled or out of order', async () => {
  const seen: EventMessage[] = [];
  await subscribe(seen);
  await append(20);
  await until(() => seen.length >= 5);
  await broker.kill();
  await append(20);
  await broker.restart();
  await append(20);
  await until(() => seen.at(-1)?.position === 60);
  expect(positionsOf(seen)).toEqual(upTo(60));
}, 120_000);

test(
  'stopped and subscribed again it goes on where it was',
  async () => {
    const seen: EventMessage[] = [];
    await append(5);
    const first = await subscribe(seen);
    await until(() => seen.length === 5);
    await first.stop();
    await append(5);
    await subscribe(seen);
    await until(() => seen.length === 10);
    expect(positionsOf(seen)).toEqual(upTo(10));
  },
  LIMIT_MS,
);

test(
  'an event whose handler fails is handed over again before its successors',
  async () => {
    const tried: number[] = [];
    const problems: string[] = [];
    let failures = 2;
    const onEvent = async ({ position }: EventMessage): Promise<void> => {
      tried.push(position);
      if (position === 2 && failures-- > 0) throw new Error('the disk is full');
    };
    await append(4);
    await subscribe([], { onEvent, onProblem: (problem) => void problems.push(problem) });
    await until(() => tried.at(-1) === 4);
    expect(tried).toEqual([1, 2, 2, 2, 3, 4]);
    expect(problems).toEqual(Array(2).fill('event 2: Error: the disk is full'));
  },
  LIMIT_MS,
);

test(
  'a bookmark of this log leaves out what was handled, one of another log counts for nothing',
  async () => {
    await append(4);
    const [own, foreign]: [EventMessage[], EventMessage[]] = [[], []];
    const mine = await subscribe(own, { durable: 'own', after: { logId: await log.logId(), position: 3 } });
    await subscribe(foreign, { durable: 'foreign', after: { logId: 'another', position: 3 } });
    await until(() => own.length === 1 && foreign.length === 4);
    expect(positionsOf(own)).toEqual([4]);
    expect(positionsOf(foreign)).toEqual(upTo(4));
    expect(mine.position).toBe(4);
  },
  LIMIT_MS,
);

test(
  'takes one concept alone, and does not trip over what is no event',
  async () => {
    const seen: EventMessage[] = [];
    const problems: string[] = [];
    const intruder = await connect({ servers: broker.url });
    try {
      await append(1, 'PowerChanged');
      await append(1);
      while ((await stream.cursor()) !== 2) await pause();
      await publisher.stop();
      await intruder.jetstream().publish(`${prefix}.v1.evt.inspection.odd.${UUID}`, 'no JSON');
      await subscribe(seen, { concept: 'inspection', onProblem: (problem) => void problems.push(problem) });
      await until(() => problems.length === 1);
      expect(positionsOf(seen)).toEqual([2]);
      expect(problems[0]).toMatch('holds no event');
    } finally {
      await intruder.close();
    }
  },
  LIMIT_MS,
);

test(
  'says so when the broker no longer knows the subscriber',
  async () => {
    const subscription = await subscribe([]);
    const other = await connect({ servers: broker.url });
    const manager = await other.jetstreamManager();
    await manager.consumers.delete(subjects.streamName(prefix), 'reader');
    await other.close();
    await expect(subscription.ended).rejects.toThrow();
  },
  LIMIT_MS,
);

test(
  'without the stream there is nothing to subscribe to',
  async () => {
    await expect(subscribe([], { prefix: 'nowhere' })).rejects.toThrow('stream not found');
  },
  LIMIT_MS,
);
