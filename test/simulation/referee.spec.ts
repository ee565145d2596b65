import { MemoryStore } from '@lib/adapters/event-log-memory';
import type { Command, Reply } from '@lib/contracts';
import type { DeadlineChange } from '@lib/domain';
import type { RecordedEvent } from '@lib/ports';
import { ManualClock } from '@lib/testing/manual-clock';
import { NODE, World, creation, endings, provision, removal, waiting } from '../world';
import { wrongAnswer } from './answers';
import { Referee } from './referee';
import { Story } from './story';

const STREAM = `node/${NODE}`;

function referee(store = new MemoryStore('log')): { judge: Referee; said: () => string[] } {
  const judge = new Referee(store, new Story(new ManualClock()));
  return { judge, said: () => judge.complaints.map(({ text }) => text) };
}

/** The log of a node whose inspection timed out after three seconds, one append each. */
async function timedOut(): Promise<RecordedEvent[][]> {
  const world = new World();
  await world.conductor();
  await world.scheduler();
  await waiting(world, NODE, { driver_info: { inspect_wait_timeout: 3 } });
  await world.clock.advanceBy(10_000);
  expect(await endings(world)).toEqual(['InspectionTimedOut']);
  const events = await world.memory.log.readAll(0, 1000);
  await world.stop();
  return events.map((event) => [event]);
}

const changed = (event: RecordedEvent, data: object, meta: object = {}): RecordedEvent => ({
  ...event,
  data: JSON.stringify({ ...(JSON.parse(event.data) as object), ...data }),
  meta: JSON.stringify({ ...(JSON.parse(event.meta) as object), ...meta }),
});

describe('the referee of a simulated day', () => {
  /** Claims as the worker made them, since only the log is played here. */
  function play(appends: readonly (readonly RecordedEvent[])[]): string[] {
    const { judge, said } = referee();
    for (const events of appends) {
      const open = judge.stream(NODE).node?.effects ?? [];
      const [first] = open;
      if (first && /effect \d+ claim 1/.test(events[0]?.meta ?? ''))
        judge.claiming()([{ stream: STREAM, n: first.n, attempt: first.attempt, json: '{}', claim: 1 }], 'one');
      judge.heard(events);
    }
    judge.final([NODE]);
    return said();
  }

  const altered = (
    log: RecordedEvent[][],
    type: string,
    alter: (event: RecordedEvent) => RecordedEvent,
  ): RecordedEvent[][] => log.map((append) => append.map((event) => (event.type === type ? alter(event) : event)));

  it('has nothing to say about a day by the rules', async () => {
    expect(play(await timedOut())).toEqual([]);
  });

  it('sees an end before its deadline', async () => {
    const log = altered(await timedOut(), 'InspectionTimedOut', (event) => changed(event, { at: 0 }));
    expect(play(log).join()).toMatch(/ms early/);
  });

  it('sees an outcome of an older claim', async () => {
    const log = altered(await timedOut(), 'InspectionWaiting', (event) =>
      changed(event, {}, { causation: 'effect 2 claim 7' }),
    );
    expect(play(log).join()).toContain('comes from claim 7 of effect 2');
  });

  it('sees an attempt without an ending, and a node that is stuck', async () => {
    const log = (await timedOut()).filter(([event]) => !/TimedOut|Power|CleanUp|EffectClosed/.test(event?.type ?? ''));
    const until = log.findIndex(([event]) => event?.type === 'InspectionWaiting') + 1;
    const said = play(log.slice(0, until)).join();
    expect(said).toMatch(/has 0 endings/);
    expect(said).toMatch(/is stuck in "inspect wait"/);
  });

  it('sees a read model that is not the fold', async () => {
    const log = await timedOut();
    const { judge, said } = referee();
    for (const events of log) judge.heard(events);
    judge.complaints.length = 0;
    judge.step();
    expect(said().join()).toMatch(/its existence: the read model has false, the fold true/);
  });
});

describe('an answer', () => {
  const accepted: Reply = { ok: true, result: {} };
  const refused = (message: string): Reply => ({ ok: false, code: 'UNAVAILABLE', message });
  const event = { type: 'NodeRemoved', data: '{}' } as RecordedEvent;
  const judge = (answer: Reply | null, events: RecordedEvent[], isPlain = true, command: Command = removal()) =>
    wrongAnswer({ commandId: 'c', command, answer, isPlain }, events);

  it('that accepts has its events', () => {
    expect(judge(accepted, [event])).toBeNull();
    expect(judge(accepted, [])).toMatch(/not in the log/);
    expect(judge(accepted, [], true, creation())).toMatch(/not in the log/);
  });

  it('that accepts a reason has it in its events', () => {
    const command: Command = { type: 'Provision', uuid: NODE, target: 'abort', args: {}, reason: 'why' };
    const told = (reason: string) => ({ type: 'WorkAborted', data: JSON.stringify({ reason }) }) as RecordedEvent;
    expect(judge(accepted, [event, told('why')], true, command)).toBeNull();
    expect(judge(accepted, [event, told('another')], true, command)).toMatch(/its reason is not in the log/);
  });

  it('that accepts an extension has its event, and a pause may find one', () => {
    const command = (change: DeadlineChange): Command => ({ type: 'ChangeDeadline', uuid: NODE, change, reason: null });
    expect(judge(accepted, [], true, command({ kind: 'extend', seconds: 1 }))).toMatch(/not in the log/);
    expect(judge(accepted, [], true, command({ kind: 'pause' }))).toBeNull();
  });

  it('that says "nothing happened" has none, unless a stray copy was on its way', () => {
    expect(judge(refused('nothing happened'), [])).toBeNull();
    expect(judge(refused('nothing happened'), [event])).toMatch(/and wrote NodeRemoved/);
    expect(judge(refused('nothing happened'), [event], false)).toBeNull();
    expect(judge(refused('the outcome is unknown'), [event])).toBeNull();
  });

  it('that tells of a bug is wrong in any case', () => {
    const bug: Reply = { ok: false, code: 'INTERNAL', message: 'oops' };
    expect(judge(bug, [], false, provision('inspect'))).toBe('met a bug: oops');
  });
});
