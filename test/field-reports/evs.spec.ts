/** Reports on the event store: racing appends, publishing after commit, bookmarks. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLog } from '@lib/adapters/event-log-typeorm';
import { MemoryEventStreamBroker } from '@lib/adapters/event-stream-memory';
import { systemClock } from '@lib/adapters/system-clock';
import { subscribeEvents } from '@lib/client';
import { LogUnavailable } from '@lib/ports';
import { appending, suiteSchemas } from '@lib/testing/event-log-suite';
import { EventPublisher } from '@lib/usecases/publish-events';
import { sleep, until } from '../stack';
import { Whole, inSqlite } from '../whole';
import { Feed, PREFIX, STREAM } from './nat-feed';
import { expectSoundEnd } from './row';

jest.setTimeout(120_000);

it('EVS-03: of many commands to one node as many have an effect as were accepted', async () => {
  const whole = await Whole.start({ store: inSqlite });
  try {
    const [one, two] = [await whole.api(), await whole.api()];
    await whole.conductor();
    const uuid = await one.machine({ inspect: 'inspector' });
    const numbers = Array.from({ length: 20 }, (_, i) => i);
    const answers = numbers.map((i) =>
      (i % 2 ? one : two).send('PATCH', `/v1/nodes/${uuid}`, [{ op: 'add', path: `/extra/k${i}`, value: i }]),
    );
    const verbs = ['inspect', 'inspect', 'inspect'].map((target) =>
      two.send('PUT', `/v1/nodes/${uuid}/states/provision`, { target }),
    );
    let over = false;
    const all = Promise.all([...answers, ...verbs]).finally(() => (over = true));
    // Not faster than the disk: who waits for a release or an answer has to have got it before it gives up.
    while (!over) await Promise.all([whole.pass(5), sleep(5)]);
    const statuses = (await all).map(({ status }) => status);
    const accepted = statuses.slice(0, 20).filter((status) => status === 200);
    expect(statuses.filter((status) => ![200, 202, 400, 409].includes(status))).toEqual([]);
    const { extra } = (await one.node(uuid)) as { extra: object };
    expect(Object.keys(extra)).toHaveLength(accepted.length);
    expect(await one.events(uuid, 'NodeUpdated')).toHaveLength(accepted.length);
    const begun = statuses.slice(20).filter((status) => status === 202);
    expect(await one.events(uuid, 'InspectionStarted')).toHaveLength(begun.length);
    expect(accepted.length).toBeGreaterThan(0);
  } finally {
    await expectSoundEnd(whole);
  }
});

it('EVS-05: of a commit that fails no subscriber hears, and of what is stored they hear after a restart', async () => {
  const home = await mkdtemp(join(tmpdir(), 'ferrolog-evs-'));
  const options = { home, schemas: suiteSchemas, clock: systemClock, readers: 1 };
  const broker = new MemoryEventStreamBroker();
  const none = () => undefined;
  const logger = { debug: none, info: none, warn: none, error: none };
  const published = () => broker.stored().map(({ position }) => position);
  const publishing = async (stored: Awaited<ReturnType<typeof openSqliteLog>>): Promise<EventPublisher> => {
    const stream = broker.open(await stored.log.logId());
    const publisher = new EventPublisher({ log: stored.log, stream, clock: systemClock, logger, prefix: 'metal' });
    publisher.start();
    return publisher;
  };
  try {
    const small = await openSqliteLog({ ...options, bytesMax: 500_000 });
    const publisher = await publishing(small);
    await small.log.append(appending({ 'node/1': 'absent' }));
    await until('the first event', () => published().length === 1);
    const big = appending({ 'node/1': 1 }, { data: 'x'.repeat(1_000_000) });
    await expect(small.log.append(big)).rejects.toThrow(LogUnavailable);
    await sleep(50);
    expect(published()).toEqual([1]);
    await publisher.stop();
    // Stored, and the process is gone before anybody published it.
    await small.log.append(appending({ 'node/1': 1 }));
    await small.close();
    const again = await openSqliteLog(options);
    const next = await publishing(again);
    await until('the second event', () => published().length === 2);
    expect(published()).toEqual([1, 2]);
    await next.stop();
    await again.close();
  } finally {
    await rm(home, { recursive: true });
  }
});

describe('EVS-12: a place that cannot be read stops with a text, and nothing begins anew', () => {
  let feed: Feed;
  beforeEach(async () => {
    feed = await Feed.start();
    await feed.append(3);
    await until('the events', async () => (await feed.stored()).length === 3);
    await feed.silence();
  });
  afterEach(() => feed.stop());

  /** What is not ours stands at the end of the stream, where a publisher looks for its place. */
  async function lastMessage(id: string | null): Promise<void> {
    const subject = `${PREFIX}.v1.evt.node.created.1be26c0b-03f2-4d2e-ae87-c02d7f33c123`;
    await feed.raw.jetstream().publish(subject, 'x', id === null ? {} : { msgID: id });
  }

  const ended = async (): Promise<unknown> => {
    const publisher = await feed.publish().catch((error: unknown) => error);
    return publisher instanceof EventPublisher ? publisher.ended.catch((error: unknown) => error) : publisher;
  };

  it.each([
    ['garbage', () => 'garbage', /belongs to|log/],
    ['without an id', () => null, /log/],
    ['of another log', () => '1b2c3d4e-0000-4000-8000-000000000000:7', /1b2c3d4e-0000-4000-8000-000000000000/],
    ['with a place that is no number', (id: string) => `${id}:seven`, /seven/],
    ['with a place that no number can hold', (id: string) => `${id}:99999999999999999`, /99999999999999999/],
    ['that is ahead of the log', (id: string) => `${id}:900`, /position 900 and the log ends at 5/],
  ])('a message %s', async (_name, idOf, text) => {
    await lastMessage(idOf(await feed.log.logId()));
    await feed.append(2);
    expect(String(await ended())).toMatch(text);
    expect((await (await feed.manager()).streams.info(STREAM)).state.messages).toBe(4);
  });

  it.each([
    [{ logId: '', position: 1 }],
    [{ logId: 'a', position: -1 }],
    [{ logId: 'a', position: 1.5 }],
    [{ logId: 'a', position: '7' as unknown as number }],
    [{ logId: 7 as unknown as string, position: 7 }],
  ])("a subscriber's bookmark %j", async (after) => {
    const subscribing = subscribeEvents({
      natsUrl: feed.broker.url,
      prefix: PREFIX,
      durable: 'reader',
      after,
      onEvent: () => undefined,
    });
    await expect(subscribing).rejects.toThrow('not a bookmark');
    await expect((await feed.manager()).consumers.info(STREAM, 'reader')).rejects.toThrow('not found');
  });
});
