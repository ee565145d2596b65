import { openMemoryLog } from '@lib/adapters/event-log-memory';
import { MemoryEventStreamBroker } from '@lib/adapters/event-stream-memory';
import { ForeignLogError, type EventLog, type EventStream, type PublishedEvent } from '@lib/ports';
import { ManualClock } from '@lib/testing';
import { EventPublisher, PUBLISHED_BYTES_MAX, StreamAheadOfLog } from '.';

const uuid = '1be26c0b-03f2-4d2e-ae87-c02d7f33c123';
const stream = `node/${uuid}`;
const DAY_MS = 24 * 60 * 60 * 1000;

describe('the publisher', () => {
  const clock = new ManualClock();
  let log: EventLog;
  let broker: MemoryEventStreamBroker;
  let publisher: EventPublisher | undefined;
  let warnings: string[];
  let commands = 0;

  beforeEach(() => {
    ({ log } = openMemoryLog({ schemas: [], clock }));
    broker = new MemoryEventStreamBroker();
    warnings = [];
  });
  afterEach(async () => {
    await publisher?.stop();
    publisher = undefined;
  });

  async function append(count: number, data: unknown = {}, type = 'InspectionStarted'): Promise<void> {
    const events = Array.from({ length: count }, () => ({ type, schema: 1, data }));
    const meta = { commandId: `c${++commands}`, requestId: 'r', actor: null, source: 's', at: 1, causation: null };
    await log.append({ writes: [{ stream, expected: 'any', events }], changes: [], meta });
  }

  async function start(
    through: (stream: EventStream) => EventStream = (opened) => opened,
    commits: 'heard' | 'unheard' = 'heard',
  ): Promise<EventPublisher> {
    const ignore = () => undefined;
    const logger = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (_: object, text: string) => void warnings.push(text),
    };
    const opened = through(broker.open(await log.logId()));
    const heard = commits === 'heard' ? log : Object.assign(Object.create(log) as EventLog, { onCommit: undefined });
    publisher = new EventPublisher({ log: heard, stream: opened, clock, logger, prefix: 'metal' });
    publisher.start();
    await clock.advanceBy(0);
    return publisher;
  }

  const bodies = () =>
    broker.stored().map(({ body }) => JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>);
  const positions = () => broker.stored().map(({ position }) => position);
  const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, i) => from + i);

  /** Publishes on its own schedule: turns of the event loop until the stream holds the position. */
  async function until(position: number): Promise<void> {
    for (let turn = 0; turn < 1000 && broker.stored().at(-1)?.position !== position; turn++) await clock.advanceBy(0);
    expect(broker.stored().at(-1)?.position).toBe(position);
  }

  it('publishes each event as JSON under its subject', async () => {
    await append(1, { attempt: 1, text: 'ä' });
    await start();
    await until(1);
    const [event] = await log.readAll(0, 1);
    expect(broker.stored()[0]?.subject).toBe(`metal.v1.evt.inspection.started.${uuid}`);
    expect(bodies()).toEqual([
      {
        logId: await log.logId(),
        position: 1,
        stream,
        version: 1,
        type: 'InspectionStarted',
        schema: 1,
        data: { attempt: 1, text: 'ä' },
        meta: JSON.parse(event?.meta ?? '') as unknown,
        recordedAt: event?.recordedAt,
      },
    ]);
  });

  it('publishes a long log in order, window by window, then what is committed', async () => {
    await append(700);
    const started = await start();
    await until(700);
    await append(2);
    await until(702);
    expect(positions()).toEqual(upTo(702));
    expect(started.position()).toBe(702);
  });

  it('finds what another writer committed within a second', async () => {
    await start((opened) => opened, 'unheard');
    await append(1);
    await clock.advanceBy(999);
    expect(positions()).toEqual([]);
    await clock.advanceBy(1);
    await until(1);
  });

  it('goes on where the stream ends', async () => {
    await append(5);
    await (await start()).stop();
    await append(5);
    await start();
    await until(10);
    expect(positions()).toEqual(upTo(10));
  });

  it('begins an empty stream with the oldest event of its seven days', async () => {
    await append(3);
    await clock.advanceBy(8 * DAY_MS);
    await append(4);
    await clock.advanceBy(6 * DAY_MS);
    await append(1);
    await start();
    await until(8);
    expect(positions()).toEqual(upTo(8, 4));
  });

  it('begins an empty stream at the end of a log that is older altogether', async () => {
    await append(9);
    await clock.advanceBy(8 * DAY_MS);
    await start();
    await append(1);
    await until(10);
    expect(positions()).toEqual([10]);
  });

  it('sends a reference in place of data that is too large', async () => {
    await append(1, 'x'.repeat(PUBLISHED_BYTES_MAX));
    await append(1, 'x'.repeat(PUBLISHED_BYTES_MAX - 1000));
    await start();
    await until(2);
    expect(bodies()[0]).toMatchObject({ position: 1, dataref: { position: 1 }, type: 'InspectionStarted' });
    expect(bodies()[0]).not.toHaveProperty('data');
    expect(bodies()[1]).toHaveProperty('data');
    expect(Math.max(...broker.stored().map(({ body }) => body.length))).toBeLessThan(PUBLISHED_BYTES_MAX);
  });

  it('waits out a broker that is away, and neither loses nor doubles', async () => {
    await append(3);
    const publisher = await start();
    await until(3);
    expect(publisher.troubled()).toBe(false);
    broker.interrupt();
    await append(3);
    await clock.advanceBy(60_000);
    expect(publisher.troubled()).toBe(true);
    const tries = warnings.length;
    await append(3);
    await clock.advanceBy(0);
    expect(warnings.length).toBe(tries);
    expect(tries).toBeLessThan(20);
    broker.restore();
    await clock.advanceBy(10_000);
    await until(9);
    expect(positions()).toEqual(upTo(9));
    expect(publisher.troubled()).toBe(false);
    broker.interrupt();
    await append(1);
    await clock.advanceBy(50);
    broker.restore();
    await clock.advanceBy(100);
    await until(10);
  });

  it('reads the cursor again when it is out of step', async () => {
    await append(2);
    await start();
    await until(2);
    broker.clear();
    await append(1);
    await clock.advanceBy(1_000);
    await until(3);
    expect(positions()).toEqual([1, 2, 3]);
  });

  it('shares a stream with a second publisher without gaps or repeats', async () => {
    const first = await start();
    const second = await start();
    for (let i = 0; i < 20; i++) {
      await append(7);
      await clock.advanceBy(37);
    }
    await clock.advanceBy(20_000);
    await until(140);
    expect(positions()).toEqual(upTo(140));
    // That the other one was quicker is how two share a stream, and nobody is warned of it.
    expect([warnings, first.troubled(), second.troubled()]).toEqual([[], false, false]);
    await first.stop();
  });

  it('warns where the stream never ends as it should, and is well again when it does', async () => {
    await append(3);
    let broken = true;
    const failure = { outcome: 'out-of-step' } as const;
    const publisher = await start((opened) => ({
      cursor: () => opened.cursor(),
      close: () => opened.close(),
      publish: (event, after) => opened.publish(event, after),
      publishMany: async (events, after) => (broken ? { published: 0, failure } : opened.publishMany(events, after)),
    }));
    await clock.advanceBy(100);
    expect([warnings, publisher.troubled()]).toEqual([[], false]);
    await clock.advanceBy(60_000);
    expect(new Set(warnings)).toEqual(new Set(['publishing events is interrupted']));
    expect(publisher.troubled()).toBe(true);
    broken = false;
    await clock.advanceBy(10_000);
    await until(3);
    expect(publisher.troubled()).toBe(false);
  });

  it('sends the stub of an event that the broker refuses, and goes on', async () => {
    await append(2);
    await append(1, 'unwelcome');
    await append(2);
    const unwelcome = ({ body }: PublishedEvent) => Buffer.from(body).includes('unwelcome');
    await start((opened) => refusing(opened, unwelcome));
    await until(5);
    expect(positions()).toEqual(upTo(5));
    expect(bodies()[2]).toMatchObject({ dataref: { position: 3 } });
    expect(warnings).toEqual(['the broker refused an event; its stub goes out']);
  });

  it('leaves no gap where the broker takes nothing, not even a stub', async () => {
    await append(3);
    let full = true;
    await start((opened) => refusing(opened, ({ position }) => full && position >= 2));
    await clock.advanceBy(30_000);
    expect(positions()).toEqual([1]);
    full = false;
    await clock.advanceBy(10_000);
    await until(3);
    expect(positions()).toEqual(upTo(3));
    expect(bodies()[1]).toHaveProperty('data');
  });

  it('ends where the stream belongs to another log', async () => {
    await broker.open('another').publish({ position: 1, subject: 's', body: new Uint8Array(1) }, null);
    await append(1);
    const { ended } = await start();
    await expect(ended).rejects.toThrow(ForeignLogError);
    expect(positions()).toEqual([1]);
  });

  it('ends where the stream is ahead of the log', async () => {
    await append(1);
    await broker.open(await log.logId()).publish({ position: 7, subject: 's', body: new Uint8Array(1) }, null);
    const { ended } = await start();
    await expect(ended).rejects.toThrow(StreamAheadOfLog);
  });

  it('stops at once while it waits for the broker', async () => {
    broker.interrupt();
    const started = await start();
    await started.stop();
    await expect(started.ended).resolves.toBeUndefined();
    expect(clock.pending()).toBe(0);
  });
});

/** A stream whose broker refuses some messages for a reason of its own. */
function refusing(opened: EventStream, refused: (event: PublishedEvent) => boolean): EventStream {
  const refusal = { outcome: 'refused', reason: 'not this one' } as const;
  return {
    cursor: () => opened.cursor(),
    close: () => opened.close(),
    publish: async (event, after) => (refused(event) ? refusal : opened.publish(event, after)),
    publishMany: async (events, after) => {
      const first = events.findIndex(refused);
      if (first < 0) return opened.publishMany(events, after);
      const { published, failure } = await opened.publishMany(events.slice(0, first), after);
      return { published, failure: failure ?? refusal };
    },
  };
}
