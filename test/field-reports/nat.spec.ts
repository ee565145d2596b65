/** Reports on delivery by NATS and JetStream, against a real server. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventMessage } from '@lib/contracts';
import { nanos } from 'nats';
import { REPOSITORY, until } from '../stack';
import { Feed, PREFIX, STREAM, upTo } from './nat-feed';
import { sourceFiles } from './nat-sources';

jest.setTimeout(120_000);

let feed: Feed;
beforeEach(async () => {
  feed = await Feed.start();
});
afterEach(() => feed.stop());

const SUBJECT = `${PREFIX}.v1.evt.inspection.started.1be26c0b-03f2-4d2e-ae87-c02d7f33c123`;

it('NAT-03: the broker keeps the times of a consumer as they are meant; a slow handler has its effect once', async () => {
  const reader = await feed.read('slow', { ackWaitMs: 300, onEvent: () => pause(700) });
  const { config } = await (await feed.manager()).consumers.info(STREAM, 'slow');
  expect(config).toMatchObject({ ack_wait: 300_000_000, ack_policy: 'explicit', max_ack_pending: 1 });
  await feed.read('usual');
  expect((await (await feed.manager()).consumers.info(STREAM, 'usual')).config.ack_wait).toBe(5_000_000_000);
  const stream = (await (await feed.manager()).streams.info(STREAM)).config;
  expect(stream.max_age).toBe(7 * 24 * 3600 * 1_000_000_000);
  await feed.append(2);
  await feed.caughtUp(reader);
  expect(reader.seen).toEqual([1, 2]);
});

it('NAT-05: neither a broker that is silent nor a process that stands still ends anything', async () => {
  const reader = await feed.read('reader');
  await feed.append(5);
  await feed.caughtUp(reader);
  process.kill(feed.broker.pid(), 'SIGSTOP');
  await feed.append(5);
  // The whole process stands still: no timer, no heartbeat, no answer.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
  await pause(200);
  process.kill(feed.broker.pid(), 'SIGCONT');
  await feed.append(5);
  await feed.caughtUp(reader);
  expect(reader.seen).toEqual(upTo(15));
  expect(await feed.stored()).toEqual(upTo(15));
});

describe('NAT-06: the window in which a broker knows duplicates is not relied on', () => {
  it('is longer than a publisher tries, where the publisher made the stream', async () => {
    const { duplicate_window: window } = (await (await feed.manager()).streams.info(STREAM)).config;
    // The longest pause between two tries, and the time for an answer.
    expect(window).toBeGreaterThanOrEqual(nanos(10_000 + 5_000));
  });

  it('may be over when a publish is tried again whose answer was lost', async () => {
    const manager = await feed.manager();
    const { config } = await manager.streams.info(STREAM);
    await manager.streams.update(STREAM, { ...config, duplicate_window: nanos(100) });
    const reader = await feed.read('reader');
    await feed.append(5);
    await feed.caughtUp(reader);
    for (let round = 0; round < 3; round++) {
      // What is sent now lies in the sockets, and is stored after its sender has given up.
      process.kill(feed.broker.pid(), 'SIGSTOP');
      await feed.append(5);
      await pause(800);
      process.kill(feed.broker.pid(), 'SIGCONT');
      await pause(300);
    }
    await feed.caughtUp(reader);
    expect(reader.seen).toEqual(upTo(20));
    expect(await feed.stored()).toEqual(upTo(20));
  });

  it('has no say in what somebody sends again long after', async () => {
    const manager = await feed.manager();
    const { config } = await manager.streams.info(STREAM);
    await manager.streams.update(STREAM, { ...config, duplicate_window: nanos(100) });
    const reader = await feed.read('reader');
    await feed.append(5);
    await feed.caughtUp(reader);
    await feed.silence();
    await pause(300);
    const old = await feed.openStream();
    const repeated = upTo(5, 3).map((position) => ({ position, subject: SUBJECT, body: Buffer.from('{}') }));
    expect(await old.publishMany(repeated, 2)).toEqual({ published: 0, failure: { outcome: 'out-of-step' } });
    expect(await feed.stored()).toEqual(upTo(5));
  });
});

it('NAT-08: no header of ours ends in the name of the one that says the id', () => {
  const names = sourceFiles().flatMap((path) => {
    const text = readFileSync(join(REPOSITORY, path), 'utf8');
    return [...text.matchAll(/(['"`])([A-Za-z-]*Msg-Id)\1/gi)].map(([, , name]) => name ?? '');
  });
  expect(names).toContain('Nats-Msg-Id');
  expect(names.filter((name) => /nats-msg-id$/i.test(name) && name !== 'Nats-Msg-Id')).toEqual([]);
});

describe('NAT-09: the log is the truth, and the stream is made from it again', () => {
  it('after the whole store of the broker is gone', async () => {
    const [reader, other] = [await feed.read('reader'), await feed.read('other')];
    await feed.append(20);
    await feed.caughtUp(reader, other);
    // The broker is still writing there.
    rmSync(feed.broker.storeFolder, { recursive: true, maxRetries: 20, retryDelay: 50 });
    await feed.broker.kill();
    await feed.append(20);
    await feed.broker.restart();
    await feed.append(20);
    await feed.caughtUp(reader, other);
    expect(reader.seen).toEqual(upTo(60));
    expect(other.seen).toEqual(upTo(60));
    expect(await feed.stored()).toEqual(upTo(60));
  });

  it('after an older copy of the store was put back', async () => {
    const reader = await feed.read('reader');
    await feed.append(20);
    await feed.caughtUp(reader);
    await feed.broker.kill();
    const { storeFolder } = feed.broker;
    cpSync(storeFolder, `${storeFolder}.old`, { recursive: true });
    await feed.broker.restart();
    await feed.append(20);
    await feed.caughtUp(reader);
    await feed.broker.kill();
    rmSync(storeFolder, { recursive: true });
    cpSync(`${storeFolder}.old`, storeFolder, { recursive: true });
    await feed.append(20);
    await feed.broker.restart();
    await feed.append(20);
    await feed.caughtUp(reader);
    expect(reader.seen).toEqual(upTo(80));
    expect(await feed.stored()).toEqual(upTo(80));
  });
});

it('NAT-10: a broker that has no room keeps nobody from appending, and gets all when it has room again', async () => {
  await feed.stop();
  feed = await Feed.start({ storeBytesMax: 20_000 });
  const reader = await feed.read('reader');
  await feed.append(300);
  await until('the broker to refuse', () => feed.warnings.length > 1);
  expect((await (await feed.manager()).streams.info(STREAM)).state.messages).toBeLessThan(300);
  await feed.append(50);
  await feed.broker.kill();
  await feed.broker.restart({ storeBytesMax: 10_000_000 });
  await feed.append(50);
  await feed.caughtUp(reader);
  expect(reader.seen).toEqual(upTo(400));
  expect(await feed.stored()).toEqual(upTo(400));
});

it('NAT-11: a place is a position of the log: a stream that counts anew and a forgotten consumer cost nothing', async () => {
  const reader = await feed.read('reader');
  await feed.append(5);
  await feed.caughtUp(reader);
  await (await feed.manager()).streams.purge(STREAM);
  await feed.broker.kill();
  await feed.broker.restart();
  await until('the stream', async () => (await feed.manager()).streams.info(STREAM));
  await (await feed.manager()).consumers.delete(STREAM, 'reader');
  await feed.append(5);
  await feed.caughtUp(reader);
  expect(reader.seen).toEqual(upTo(10));
  expect(reader.restarts()).toBeGreaterThan(0);
});

it('NAT-13: a slow subscriber lags, visibly, and gets all in order', async () => {
  const SLOW_MS = 5;
  await feed.append(400);
  const reader = await feed.read('slow', { onEvent: () => pause(SLOW_MS) });
  await until('some events', () => reader.seen.length >= 5);
  expect(reader.subscription().waiting).toBeGreaterThan(100);
  const { num_pending: pending } = await (await feed.manager()).consumers.info(STREAM, 'slow');
  expect(pending).toBeGreaterThan(0);
  await feed.caughtUp(reader);
  expect(reader.seen).toEqual(upTo(400));
  expect(reader.subscription().waiting).toBe(0);
});

describe('NAT-15: what comes again and again', () => {
  it('is counted, and not told of one by one', async () => {
    const problems: string[] = [];
    const reader = await feed.read('reader', { onProblem: (problem) => void problems.push(problem) });
    await feed.append(3);
    await feed.caughtUp(reader);
    await feed.silence();
    const [event] = await feed.log.readAll(1, 1);
    const again: Omit<EventMessage, 'meta'> = {
      logId: await feed.log.logId(),
      position: event?.position ?? 0,
      stream: event?.stream ?? '',
      version: event?.version ?? 0,
      type: event?.type ?? '',
      schema: 1,
      data: {},
      recordedAt: 1,
    };
    const js = feed.raw.jetstream();
    await Promise.all(Array.from({ length: 1_000 }, () => js.publish(SUBJECT, JSON.stringify(again))));
    await until('all of them', () => reader.subscription().repeated === 1_000, { timeoutMs: 60_000 });
    expect(reader.seen).toEqual(upTo(3));
    expect(problems).toEqual([]);
  });

  it('is parked after some tries, where the subscriber wants that', async () => {
    const [problems, parked]: [string[], string[]] = [[], []];
    const reader = await feed.read('reader', {
      triesMax: 3,
      onEvent: ({ position }) => {
        if (position === 2) throw new Error('poison');
      },
      onProblem: (problem) => void problems.push(problem),
      onParked: ({ position }, problem) => void parked.push(`${position} ${problem}`),
    });
    await feed.append(4);
    await feed.caughtUp(reader);
    expect(reader.seen).toEqual([1, 3, 4]);
    expect(problems).toHaveLength(2);
    expect(parked).toEqual(['2 Error: poison']);
  });
});
