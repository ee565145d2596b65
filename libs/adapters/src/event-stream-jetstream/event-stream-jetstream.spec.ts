import { type EventStream, ForeignLogError, type PublishedEvent } from '@lib/ports';
import { anEventStream, type Broker, startBroker, type StreamedEvent } from '@lib/testing';
import { AckPolicy, connect, type NatsConnection } from 'nats';
import { JetStreamEventStream, type JetStreamEventStreamOptions } from './index';

let broker: Broker;
let raw: NatsConnection;
let prefixes = 0;

beforeAll(async () => {
  broker = await startBroker();
  raw = await connect({ servers: broker.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
});
afterAll(async () => {
  await raw.close();
  await broker.stop();
});

async function stored(streamName: string): Promise<StreamedEvent[]> {
  const manager = await raw.jetstreamManager();
  const { state } = await manager.streams.info(streamName);
  if (state.messages === 0) return [];
  await manager.consumers.add(streamName, { durable_name: 'reader', ack_policy: AckPolicy.None });
  const consumer = await raw.jetstream().consumers.get(streamName, 'reader');
  const found: StreamedEvent[] = [];
  while (found.length < state.messages) {
    const page = await consumer.fetch({ max_messages: state.messages - found.length, expires: 1_000 });
    for await (const message of page) found.push({ subject: message.subject, body: message.string() });
  }
  await consumer.delete();
  return found;
}

/** A prefix, and so a stream, of its own for each test. */
function newSettings(): Omit<JetStreamEventStreamOptions, 'logId'> & { root: string } {
  const prefix = `t${prefixes++}`;
  const names = { streamName: `${prefix}_v1_evt`, subject: `${prefix}.v1.evt.>` };
  return { url: broker.url, name: 'test', ...names, root: `${prefix}.v1.evt` };
}

anEventStream('JetStream', async () => {
  const settings = newSettings();
  return {
    open: (logId) => JetStreamEventStream.connect({ ...settings, logId }),
    subjectRoot: settings.root,
    stored: () => stored(settings.streamName),
    close: async () => undefined,
  };
});

describe('JetStreamEventStream', () => {
  const opened: EventStream[] = [];
  const open = async (options: JetStreamEventStreamOptions): Promise<JetStreamEventStream> => {
    const one = await JetStreamEventStream.connect(options);
    opened.push(one);
    return one;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const eventsOf = (root: string, from: number, to: number): PublishedEvent[] =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      position: from + index,
      subject: `${root}.node.created.${from + index}`,
      body: Buffer.from(`event ${from + index}`),
    }));

  it('makes the stream as it has to be: on disk, seven days, its subjects and no others', async () => {
    const { root, ...settings } = newSettings();
    await (await open({ ...settings, logId: 'log-a' })).cursor();
    const { config } = await (await raw.jetstreamManager()).streams.info(settings.streamName);
    expect(config).toMatchObject({
      subjects: [`${root}.>`],
      storage: 'file',
      retention: 'limits',
      max_age: 7 * 24 * 3600 * 1e9,
      num_replicas: 1,
    });
  });

  it('names each message <log id>:<position>', async () => {
    const { root, ...settings } = newSettings();
    const stream = await open({ ...settings, logId: 'log-a' });
    await stream.publishMany(eventsOf(root, 41, 42), null);
    const message = await (await raw.jetstreamManager()).streams.getMessage(settings.streamName, { seq: 2 });
    expect(message.header.get('Nats-Msg-Id')).toBe('log-a:42');
  });

  it('takes a stream that an operator tuned, and refuses one that cannot hold its promises', async () => {
    const { root, ...settings } = newSettings();
    const manager = await raw.jetstreamManager();
    await manager.streams.add({ name: settings.streamName, subjects: [`${root}.>`], max_age: 3600e9, max_bytes: 1e8 });
    expect(await (await open({ ...settings, logId: 'log-a' })).cursor()).toBeNull();
    const other = newSettings();
    await manager.streams.add({ name: other.streamName, subjects: [`${other.root}.>`, 'also.>'] });
    const sentence = `the stream ${other.streamName} has subjects = ["${other.root}.>","also.>"], and events need ["${other.root}.>"]`;
    await expect((await open({ ...other, logId: 'log-a' })).cursor()).rejects.toThrow(sentence);
  });

  it('takes a message that nobody of us wrote for what it is', async () => {
    const { root, ...settings } = newSettings();
    const stream = await open({ ...settings, logId: 'log-a' });
    await stream.publishMany(eventsOf(root, 1, 2), null);
    await raw.jetstream().publish(`${root}.foreign`, Buffer.from('x'));
    expect(await stream.publishMany(eventsOf(root, 3, 4), 2)).toEqual({
      published: 0,
      failure: { outcome: 'out-of-step' },
    });
    await expect(stream.cursor()).rejects.toThrow(ForeignLogError);
  });

  it('starts again where the broker emptied the stream', async () => {
    const { root, ...settings } = newSettings();
    const stream = await open({ ...settings, logId: 'log-a' });
    await stream.publishMany(eventsOf(root, 1, 5), null);
    await (await raw.jetstreamManager()).streams.purge(settings.streamName);
    expect(await stream.cursor()).toBeNull();
    expect(await stream.publishMany(eventsOf(root, 6, 8), null)).toEqual({ published: 3, failure: null });
    expect(await stream.cursor()).toBe(8);
  });

  it('makes the stream anew when it was deleted', async () => {
    const { root, ...settings } = newSettings();
    const stream = await open({ ...settings, logId: 'log-a', ackTimeoutMs: 500 });
    await stream.publishMany(eventsOf(root, 1, 5), null);
    await (await raw.jetstreamManager()).streams.delete(settings.streamName);
    await expect(stream.publishMany(eventsOf(root, 6, 8), 5)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await stream.cursor()).toBeNull();
    expect(await stream.publishMany(eventsOf(root, 6, 8), null)).toEqual({ published: 3, failure: null });
  });

  it('says in one sentence that the broker runs without JetStream', async () => {
    const bare = await startBroker({ jetstream: false });
    try {
      const { root: _, ...settings } = newSettings();
      const stream = await open({ ...settings, url: bare.url, logId: 'log-a', ackTimeoutMs: 500 });
      await expect(stream.cursor()).rejects.toThrow(`the broker at ${bare.url} runs without JetStream`);
      await expect(stream.cursor()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    } finally {
      await bare.stop();
    }
  });

  it('a broker killed and restarted, past its duplicate window: the stream goes on where it stood', async () => {
    const { root, ...settings } = newSettings();
    const manager = await raw.jetstreamManager();
    // A short window makes it pass here; the default of two minutes passes in any quiet night.
    const config = { name: settings.streamName, subjects: [`${root}.>`], duplicate_window: 100e6 };
    await manager.streams.add(config);
    const stream = await open({ ...settings, logId: 'log-a' });
    await stream.publishMany(eventsOf(root, 1, 10), null);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await broker.kill();
    await until(async () =>
      stream.cursor().then(
        () => false,
        (error) => error.code === 'UNAVAILABLE',
      ),
    );
    await expect(stream.publish(eventsOf(root, 11, 11)[0]!, 10)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await broker.restart();
    await until(async () =>
      stream.cursor().then(
        (position) => position === 10,
        () => false,
      ),
    );
    expect(await stream.publishMany(eventsOf(root, 11, 12), 10)).toEqual({ published: 2, failure: null });
  });

  it('killed three times under load: nothing lost, doubled or out of order', async () => {
    const { root, ...settings } = newSettings();
    const stream = await open({ ...settings, logId: 'log-a', ackTimeoutMs: 500 });
    const all = eventsOf(root, 1, 20_000);
    let stop = false;
    let cursor: number | null = null;
    let failures = 0;
    const publish = async (): Promise<void> => {
      while (!stop && (cursor ?? 0) < all.length) {
        try {
          cursor = await stream.cursor();
          for (let from = cursor ?? 0; from < all.length && !stop; from = cursor ?? 0) {
            const { published, failure } = await stream.publishMany(all.slice(from, from + 200), cursor);
            cursor = published === 0 ? cursor : from + published;
            if (failure !== null) break;
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
        } catch {
          failures++;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    };
    const publishing = publish();
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await broker.kill();
      await broker.restart();
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    stop = true;
    await publishing;
    await until(async () =>
      stream.cursor().then(
        (position) => ((cursor = position), true),
        () => false,
      ),
    );
    await until(async () =>
      raw.flush().then(
        () => true,
        () => false,
      ),
    );
    const found = (await stored(settings.streamName)).map(({ body }) => body);
    expect(failures).toBeGreaterThan(0);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(all.slice(0, cursor ?? 0).map(({ body }) => Buffer.from(body).toString()));
  }, 60_000);
});
