import { BusError, type EventStream, ForeignLogError, type PublishedEvent } from '@lib/ports';

/** What a subscriber finds in the stream. */
export interface StreamedEvent {
  readonly subject: string;
  readonly body: string;
}

/** A broker with one empty stream. */
export interface StreamSite {
  open(logId: string): Promise<EventStream>;
  /** Subjects that the stream takes start with this, as `t.v1.evt`. */
  readonly subjectRoot: string;
  /** Everything in the stream, in order. */
  stored(): Promise<StreamedEvent[]>;
  close(): Promise<void>;
}

/** The contract of the event stream; every adapter runs it. */
export function anEventStream(name: string, openSite: () => Promise<StreamSite>): void {
  describe(`event stream: ${name}`, () => {
    let site: StreamSite;
    let stream: EventStream;
    const opened: EventStream[] = [];
    const open = async (logId: string): Promise<EventStream> => {
      const one = await site.open(logId);
      opened.push(one);
      return one;
    };
    const event = (position: number, body = `event ${position}`): PublishedEvent => ({
      position,
      subject: `${site.subjectRoot}.inspection.started.node-${position}`,
      body: Buffer.from(body),
    });
    const run = (from: number, to: number): PublishedEvent[] =>
      Array.from({ length: to - from + 1 }, (_, index) => event(from + index));
    const bodies = async (): Promise<string[]> => (await site.stored()).map(({ body }) => body);

    beforeEach(async () => {
      site = await openSite();
      stream = await open('log-a');
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((one) => one.close()));
      await site.close();
    });

    it('is empty at first', async () => {
      expect(await stream.cursor()).toBeNull();
      expect(await stream.cursor()).toBeNull();
    });

    it('takes events one after the other, and its cursor follows', async () => {
      expect(await stream.publish(event(17), null)).toEqual({ outcome: 'published' });
      expect(await stream.cursor()).toBe(17);
      expect(await stream.publish(event(18), 17)).toEqual({ outcome: 'published' });
      // Positions of a log may have holes; order is what counts.
      expect(await stream.publish(event(25), 18)).toEqual({ outcome: 'published' });
      expect(await stream.cursor()).toBe(25);
      expect(await site.stored()).toEqual([17, 18, 25].map((n) => ({ subject: event(n).subject, body: `event ${n}` })));
    });

    it('refuses a gap, a repeat and a start in the middle', async () => {
      expect(await stream.publish(event(5), 4)).toEqual({ outcome: 'out-of-step' });
      await stream.publish(event(1), null);
      expect(await stream.publish(event(3), 2)).toEqual({ outcome: 'out-of-step' });
      expect(await stream.publish(event(1), null)).toEqual({ outcome: 'out-of-step' });
      expect(await stream.publish(event(1), 0)).toEqual({ outcome: 'out-of-step' });
      expect(await stream.cursor()).toBe(1);
      expect(await stream.publish(event(2), 1)).toEqual({ outcome: 'published' });
      expect(await bodies()).toEqual(['event 1', 'event 2']);
    });

    it('refuses a second publisher of the same log until it looks at the cursor', async () => {
      const second = await open('log-a');
      expect(await second.cursor()).toBeNull();
      await stream.publish(event(1), null);
      await stream.publish(event(2), 1);
      expect(await second.publish(event(1), null)).toEqual({ outcome: 'out-of-step' });
      expect(await second.cursor()).toBe(2);
      expect(await second.publish(event(3), 2)).toEqual({ outcome: 'published' });
      expect(await stream.publish(event(3), 2)).toEqual({ outcome: 'out-of-step' });
      expect(await bodies()).toEqual(['event 1', 'event 2', 'event 3']);
    });

    it('two publishers of one log at once: each event is in once, in order', async () => {
      const all = run(1, 600);
      const publish = async (publisher: EventStream, runLength: number): Promise<void> => {
        for (let at = (await publisher.cursor()) ?? 0; at < all.length; at = (await publisher.cursor()) ?? 0) {
          await publisher.publishMany(all.slice(at, at + runLength), at === 0 ? null : at);
        }
      };
      const second = await open('log-a');
      await Promise.all([publish(stream, 7), publish(second, 5)]);
      expect(await bodies()).toEqual(all.map(({ position }) => `event ${position}`));
    });

    it('takes a run in order', async () => {
      expect(await stream.publishMany(run(1, 1_000), null)).toEqual({ published: 1_000, failure: null });
      expect(await stream.publishMany(run(1_001, 1_300), 1_000)).toEqual({ published: 300, failure: null });
      expect(await stream.cursor()).toBe(1_300);
      expect(await bodies()).toEqual(Array.from({ length: 1_300 }, (_, n) => `event ${n + 1}`));
      expect(await stream.publishMany([], 1_300)).toEqual({ published: 0, failure: null });
    });

    it('takes nothing of a run that is out of step', async () => {
      await stream.publishMany(run(1, 3), null);
      expect(await stream.publishMany(run(5, 8), 4)).toEqual({ published: 0, failure: { outcome: 'out-of-step' } });
      expect(await stream.publishMany(run(2, 8), 1)).toEqual({ published: 0, failure: { outcome: 'out-of-step' } });
      expect(await bodies()).toHaveLength(3);
      expect(await stream.publishMany(run(4, 8), 3)).toEqual({ published: 5, failure: null });
    });

    it('stops a run at the event that the broker refuses, and goes on with another in its place', async () => {
      const events = run(1, 20);
      events[6] = event(7, 'x'.repeat(2_000_000));
      const result = await stream.publishMany(events, null);
      expect(result).toEqual({
        published: 6,
        failure: { outcome: 'refused', reason: expect.stringMatching(/\d+ bytes/) },
      });
      expect(await stream.cursor()).toBe(6);
      events[6] = event(7, 'too large, position 7');
      expect(await stream.publishMany(events.slice(6), 6)).toEqual({ published: 14, failure: null });
      expect((await bodies())[6]).toBe('too large, position 7');
      expect(await bodies()).toHaveLength(20);
    });

    it('says so when the stream holds events of another log', async () => {
      await stream.publish(event(1), null);
      const stranger = await open('log-b');
      await expect(stranger.cursor()).rejects.toThrow(ForeignLogError);
      await expect(stranger.cursor()).rejects.toMatchObject({ expectedLogId: 'log-b', foundLogId: 'log-a' });
      await expect(stranger.cursor()).rejects.toThrow('FERROLOG_BUS_PREFIX');
      expect(await bodies()).toHaveLength(1);
    });

    it('a closed stream says CLOSED', async () => {
      await stream.close();
      await stream.close();
      await expect(stream.cursor()).rejects.toMatchObject({ code: 'CLOSED' });
      await expect(stream.publish(event(1), null)).rejects.toBeInstanceOf(BusError);
      await expect(stream.publishMany(run(1, 2), null)).rejects.toMatchObject({ code: 'CLOSED' });
    });
  });
}
