import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { CONDUCTOR_QUEUE, decode, encode, subjects } from '@lib/contracts';
import type { DeadlineAnswer, DeadlineElapsed } from '@lib/contracts';
import type { BusSubscription, MessageBus, OpenDeadline } from '@lib/ports';
import { ManualClock } from '@lib/testing/manual-clock';
import { DeadlineScheduler } from '.';
import { uuidOf } from '../../../../test/world';

type Answer = (elapsed: DeadlineElapsed) => Promise<DeadlineAnswer | null> | DeadlineAnswer | null;

/** The scheduler with a conductor that is played: what is open is a list of the spec's own. */
describe('the deadline scheduler', () => {
  const clockStart = Date.parse('2026-11-30T08:00:00Z');
  let clock: ManualClock;
  let bus: MessageBus;
  let hub: MemoryBusHub;
  let scheduler: DeadlineScheduler;
  let open: OpenDeadline[];
  let asked: (DeadlineElapsed & { readonly at: number })[];
  let looks: number;
  let inFlight: number;
  let inFlightMost: number;
  let broken: boolean;
  let serving: BusSubscription | null;

  beforeEach(() => {
    clock = new ManualClock(clockStart);
    hub = new MemoryBusHub(clock);
    bus = hub.open();
    [open, asked, looks, inFlight, inFlightMost, broken, serving] = [[], [], 0, 0, 0, false, null];
    const ignore = (): void => undefined;
    scheduler = new DeadlineScheduler({
      readModel: {
        deadlines: async (until, limit) => {
          looks += 1;
          if (broken) throw new Error('the disk is away');
          return open
            .filter(({ due }) => due <= until)
            .sort((a, b) => a.due - b.due)
            .slice(0, limit);
        },
      },
      bus,
      prefix: 'test',
      logId: 'log-1',
      clock,
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
  });
  afterEach(async () => {
    let ended = false;
    const stopping = scheduler.stop().then(() => (ended = true));
    while (!ended) await clock.advanceBy(1000);
    await stopping;
    const count = asked.length;
    await clock.advanceBy(60_000);
    expect(asked).toHaveLength(count);
  });

  const deadline = (index: number, afterMs: number): OpenDeadline => ({
    stream: `node/${uuidOf(index)}`,
    n: 1,
    attempt: 1,
    due: clock.now() + afterMs,
  });

  async function conductor(answer: Answer): Promise<BusSubscription> {
    const handle = async (elapsed: DeadlineElapsed): Promise<DeadlineAnswer> => {
      asked.push({ ...elapsed, at: clock.now() });
      inFlight += 1;
      inFlightMost = Math.max(inFlightMost, inFlight);
      const reply = await answer(elapsed);
      inFlight -= 1;
      if (!reply) throw new Error('no answer is given');
      return reply;
    };
    serving = await bus.serve(
      subjects.allDeadlines('test'),
      CONDUCTOR_QUEUE,
      async ({ body }) => encode(await handle(decode<DeadlineElapsed>(body))),
      () => undefined,
    );
    return serving;
  }

  /** A conductor that does as it should: what it acted on is no longer open. */
  const settling: Answer = (elapsed) => {
    open = open.filter(({ stream, n }) => stream !== elapsed.stream || n !== elapsed.n);
    return { answer: 'done' };
  };

  const start = async (): Promise<void> => {
    await scheduler.start();
    await clock.advanceBy(0);
  };
  const hint = (): void => bus.hint(subjects.hint('test', 'deadlines'), new Uint8Array([1]));

  it('asks at the millisecond and not before, with all that names the deadline', async () => {
    open = [deadline(1, 60_000), deadline(2, 90_000)];
    await conductor(settling);
    await start();
    await clock.advanceBy(59_999);
    expect(asked).toEqual([]);
    await clock.advanceBy(1);
    expect(asked).toEqual([
      {
        logId: 'log-1',
        stream: `node/${uuidOf(1)}`,
        n: 1,
        attempt: 1,
        due: clockStart + 60_000,
        at: clockStart + 60_000,
      },
    ]);
    await clock.advanceBy(30_000);
    expect(asked.map(({ at }) => at - clockStart)).toEqual([60_000, 90_000]);
  });

  it('asks everything that is overdue at its start, at once', async () => {
    open = [deadline(1, -3_600_000), deadline(2, -1), deadline(3, 0), deadline(4, 1)];
    await conductor(settling);
    await start();
    expect(asked.map(({ stream }) => stream)).toEqual([1, 2, 3].map((index) => `node/${uuidOf(index)}`));
  });

  it('hears of a deadline that comes earlier by a hint', async () => {
    open = [deadline(1, 3_600_000)];
    await conductor(settling);
    await start();
    open.push(deadline(2, 10));
    hint();
    await clock.advanceBy(10);
    expect(asked.map(({ at }) => at - clockStart)).toEqual([10]);
  });

  it('looks once a second, so that a lost hint costs no more', async () => {
    await conductor(settling);
    await start();
    await clock.advanceBy(500);
    open.push(deadline(1, 0));
    await clock.advanceBy(1000);
    expect(asked).toHaveLength(1);
    expect((asked[0]?.at ?? 0) - clockStart).toBeLessThanOrEqual(1500);
    const before = looks;
    await clock.advanceBy(10_000);
    expect(looks - before).toBeLessThanOrEqual(11);
  });

  it('ends 10,000 that are due at once, many in flight but bounded, each asked once', async () => {
    open = Array.from({ length: 10_000 }, (_, index) => deadline(index, 0));
    const settled = new Set<string>();
    let commit: Promise<void> | null = null;
    // As a group commit: what came in the meantime is answered together.
    await conductor(async ({ stream }) => {
      commit ??= new Promise<void>((resolve) => clock.after(5, resolve)).then(() => {
        commit = null;
        open = open.filter((one) => !settled.has(one.stream));
      });
      settled.add(stream);
      await commit;
      return { answer: 'done' };
    });
    await start();
    await clock.advanceBy(1000);
    expect(open).toEqual([]);
    expect(asked).toHaveLength(10_000);
    expect(new Set(asked.map(({ stream }) => stream)).size).toBe(10_000);
    expect(inFlightMost).toBe(256);
    // Pages, and not answers.
    expect(looks).toBeLessThan(20);
  });

  it('does not look again for each answer while one deadline after the other falls due', async () => {
    open = Array.from({ length: 2000 }, (_, index) => deadline(index, index));
    const dues = open.map(({ due }) => due);
    await conductor(settling);
    await start();
    await clock.advanceBy(2000);
    expect(asked.map(({ at }) => at)).toEqual(dues);
    expect(looks).toBeLessThan(10);
  });

  it('asks soon for one that a hint tells of, however many others wait for their turn', async () => {
    open = Array.from({ length: 600 }, (_, index) => deadline(index, 0));
    await conductor(async (elapsed) => {
      await new Promise<void>((resolve) => clock.after(100, resolve));
      return settling(elapsed);
    });
    await start();
    const earlier = deadline(9999, -1000);
    open.push(earlier);
    hint();
    await clock.advanceBy(150);
    expect(asked[256]?.stream).toBe(earlier.stream);
  });

  it('has none in flight twice, however often it is woken', async () => {
    open = [deadline(1, 0)];
    await conductor(async (elapsed) => {
      await new Promise<void>((resolve) => clock.after(3000, resolve));
      return settling(elapsed);
    });
    await start();
    for (let i = 0; i < 20; i += 1) {
      hint();
      await clock.advanceBy(100);
    }
    expect(asked).toHaveLength(1);
    await clock.advanceBy(60_000);
    expect(asked).toHaveLength(1);
  });

  it('lets nobody starve behind slow answers', async () => {
    open = Array.from({ length: 300 }, (_, index) => deadline(index, 0));
    const slow = new Set(open.slice(0, 200).map(({ stream }) => stream));
    await conductor(async (elapsed) => {
      if (slow.has(elapsed.stream)) await new Promise<void>((resolve) => clock.after(4000, resolve));
      return settling(elapsed);
    });
    await start();
    await clock.advanceBy(1000);
    expect(open.map(({ stream }) => stream)).toEqual([...slow]);
  });

  it('lets nobody starve behind more than a page of deadlines that wait', async () => {
    open = Array.from({ length: 1500 }, (_, index) => deadline(index, index));
    const last = open.at(-1);
    await conductor((elapsed) =>
      elapsed.stream === last?.stream ? settling(elapsed) : { answer: 'early', afterMs: 9000 },
    );
    await clock.advanceBy(1500);
    await start();
    await clock.advanceBy(2000);
    expect(asked.filter(({ stream }) => stream === last?.stream)).toHaveLength(1);
    expect(open).toHaveLength(1499);
  });

  it('asks again with growing pauses while no conductor is there, and soon after one is', async () => {
    open = [deadline(1, 0)];
    await start();
    await clock.advanceBy(100_000);
    const quiet = looks;
    await clock.advanceBy(60_000);
    expect(looks - quiet).toBeLessThanOrEqual(61 + 2 * 7);
    await conductor(settling);
    await clock.advanceBy(11_000);
    expect(asked).toHaveLength(1);
    expect(open).toEqual([]);
  });

  it('takes silence for no answer, and asks again', async () => {
    open = [deadline(1, 0), deadline(2, 0)];
    const silent = await conductor(() => new Promise(() => undefined));
    await start();
    await clock.advanceBy(4999);
    expect(asked).toHaveLength(2);
    void silent.stop();
    await conductor(settling);
    await clock.advanceBy(11_000);
    expect(open).toEqual([]);
  });

  it('does not ask an unanswered one in a hot loop', async () => {
    open = [deadline(1, 0)];
    await conductor(() => null);
    await start();
    await clock.advanceBy(60_000);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThan(20);
  });

  it.each(['done', 'gone'] as const)(
    'forgets what is %s, and does not hammer when the row stays open',
    async (answer) => {
      open = [deadline(1, 0)];
      await conductor(() => ({ answer }));
      await start();
      await clock.advanceBy(4000);
      expect(asked).toHaveLength(1);
      await clock.advanceBy(56_000);
      expect(asked.length).toBeLessThanOrEqual(13);
    },
  );

  it('asks one that was early after the time that the conductor said', async () => {
    open = [deadline(1, 0)];
    const lagMs = 3210;
    await conductor((elapsed) => {
      const now = clock.now() - lagMs;
      return now < elapsed.due ? { answer: 'early', afterMs: elapsed.due - now } : settling(elapsed);
    });
    await start();
    await clock.advanceBy(lagMs - 1);
    expect(asked).toHaveLength(1);
    await clock.advanceBy(1);
    expect(asked).toHaveLength(2);
    expect(open).toEqual([]);
  });

  it('asks a held one again as soon as its row is open again', async () => {
    open = [deadline(1, 0)];
    const [row] = open;
    await conductor((elapsed) => {
      if (asked.length > 1) return settling(elapsed);
      open = [];
      return { answer: 'held' };
    });
    await start();
    await clock.advanceBy(1500);
    expect(asked).toHaveLength(1);
    open = row ? [row] : [];
    hint();
    await clock.advanceBy(0);
    expect(asked.map(({ at }) => at - clockStart)).toEqual([0, 1500]);
    expect(open).toEqual([]);
  });

  it('sees within a second that the clock was set forward', async () => {
    open = [deadline(1, 3_600_000)];
    await conductor(settling);
    await start();
    clock.jumpTo(clockStart + 3_600_000);
    await clock.advanceBy(1000);
    expect(open).toEqual([]);
  });

  it('asks nothing early when the clock was set back, and nothing twice', async () => {
    open = [deadline(1, 10_000)];
    await conductor(settling);
    await start();
    await clock.advanceBy(9000);
    clock.jumpTo(clockStart - 3_600_000);
    await clock.advanceBy(3_609_999);
    expect(asked).toEqual([]);
    await clock.advanceBy(1);
    expect(asked).toHaveLength(1);
  });

  it('forgets long pauses when the clock was set back', async () => {
    open = [deadline(1, -100)];
    await start();
    await clock.advanceBy(60_000);
    clock.jumpTo(clockStart);
    await conductor(settling);
    await clock.advanceBy(11_000);
    expect(open).toEqual([]);
  });

  it('says that it is not ready while the deadlines can not be read, and goes on when they can', async () => {
    open = [deadline(1, 2000)];
    await conductor(settling);
    broken = true;
    await start();
    expect(scheduler.ready()).toBe(false);
    await clock.advanceBy(3000);
    broken = false;
    await clock.advanceBy(1000);
    expect(scheduler.ready()).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('goes on after the bus was away', async () => {
    open = [deadline(1, 1000)];
    await conductor(settling);
    await start();
    hub.interrupt();
    await clock.advanceBy(20_000);
    expect(asked).toEqual([]);
    hub.restore();
    await clock.advanceBy(11_000);
    expect(asked).toHaveLength(1);
  });
});
