import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { subjects } from '@lib/contracts';
import type { Logger } from '@lib/ports';
import { ManualClock } from '@lib/testing/manual-clock';
import { watchPeers } from './peers';

describe('services under one prefix', () => {
  const clock = new ManualClock();
  const hub = new MemoryBusHub(clock);
  const ignore = (): void => undefined;
  const logger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const stops: (() => Promise<void>)[] = [];

  async function service(logId: string, prefix: string): Promise<string[]> {
    const sentences: string[] = [];
    const stop = await watchPeers({ bus: hub.open(), prefix, clock, logger }, logId, (one) => void sentences.push(one));
    stops.push(stop);
    return sentences;
  }
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    expect(clock.pending()).toBe(0);
  });

  it('that serve one log hear nothing of each other', async () => {
    const both = [await service('log-1', 'a'), await service('log-1', 'a')];
    await clock.advanceBy(60_000);
    expect(both).toEqual([[], []]);
  });

  it('that serve two logs and began in the same millisecond both stop, with a sentence that names prefix, logs and cure', async () => {
    const [one, two] = [await service('log-1', 'a'), await service('log-2', 'a')];
    await clock.advanceBy(10_000);
    for (const [sentences, other] of [
      [one, 'log-2'],
      [two, 'log-1'],
    ] as const) {
      expect(sentences[0]).toContain('"a"');
      expect(sentences[0]).toContain(other);
      expect(sentences[0]).toContain('FERROLOG_BUS_PREFIX');
    }
  });

  it('go on when one with another log comes later, which is told at once and stops', async () => {
    const early = await service('log-1', 'a');
    await clock.advanceBy(55_000);
    const late = await service('log-2', 'a');
    await clock.advanceBy(1);
    expect(late).toEqual([expect.stringContaining('log-1')]);
    await clock.advanceBy(60_000);
    expect(early).toEqual([]);
  });

  it('are not bothered by other prefixes, nor by what is no word of a peer', async () => {
    const one = await service('log-1', 'a');
    await service('log-2', 'b');
    const bus = hub.open();
    for (const body of ['no json', 'null', '{"logId":7}', '{}']) bus.hint(subjects.hint('a', 'log'), Buffer.from(body));
    await clock.advanceBy(60_000);
    expect(one).toEqual([]);
  });
});
