import { anEventStream } from '@lib/testing';
import { MemoryEventStreamBroker } from './index';

anEventStream('in process', async () => {
  const broker = new MemoryEventStreamBroker();
  return {
    open: async (logId) => broker.open(logId),
    subjectRoot: 't.v1.evt',
    stored: async () => broker.stored().map(({ subject, body }) => ({ subject, body: Buffer.from(body).toString() })),
    close: async () => undefined,
  };
});

describe('MemoryEventStreamBroker', () => {
  const event = (position: number): { position: number; subject: string; body: Uint8Array } => ({
    position,
    subject: `t.v1.evt.node.created.${position}`,
    body: Buffer.from(`event ${position}`),
  });

  it('plays a broker that is away, and one that forgot', async () => {
    const broker = new MemoryEventStreamBroker();
    const stream = broker.open('log-a');
    await stream.publish(event(1), null);
    broker.interrupt();
    await expect(stream.publish(event(2), 1)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(stream.cursor()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    broker.restore();
    expect(await stream.publish(event(2), 1)).toEqual({ outcome: 'published' });
    broker.clear();
    expect(await stream.cursor()).toBeNull();
    expect(await stream.publish(event(3), 2)).toEqual({ outcome: 'out-of-step' });
  });

  it('tells listeners of every event', async () => {
    const broker = new MemoryEventStreamBroker();
    const heard: number[] = [];
    broker.onPublished(({ position }) => heard.push(position));
    await broker.open('log-a').publishMany([event(1), event(2)], null);
    expect(heard).toEqual([1, 2]);
  });
});
