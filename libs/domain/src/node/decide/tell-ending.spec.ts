import * as fc from 'fast-check';
import { decide, emptyStream, evolve } from '..';
import type { InspectInterfaceFacts, Node, NodeCommand, NodeEvent, NodeStream } from '..';
import { Refusal } from '../../refusal';
import {
  DUE,
  agent,
  commandOf,
  contextAt,
  continueWith,
  continued,
  done,
  elapse,
  failed,
  fake,
  inspectManaged,
  inspecting,
  interrupt,
  maintain,
  manageable,
  nodeAfter,
  provision,
  remove,
  report,
  returned,
  waiting,
} from '../spec';
import type { Step, Throw } from '../spec';

const rack: InspectInterfaceFacts = { ...fake, name: 'rack', abort: true, hearsOfEndings: true };
const fields = { inspect_interface: 'rack' };
const past = waiting(fields, rack, null);
const told = (node: Node) =>
  node.effects.flatMap(({ n, attempt, task }) => (task.kind === 'tell ending' ? [[n, attempt, task.outcome]] : []));

describe('an interface that hears of endings', () => {
  const at = DUE - 1;
  it.each<[string, readonly Step[], number, string]>([
    ['done', [[report(1, 10_000, { inspect: rack }), at]], 3, 'done'],
    ['fail', [[report(1, 10_000, { error: 'no', inspect: rack }), at]], 3, 'fail'],
    ['timeout', [[elapse(1, 1, rack), DUE]], 3, 'timeout'],
    [
      'abort',
      [
        [provision('abort', rack), at],
        [done(3, {}, rack), at],
      ],
      4,
      'abort',
    ],
  ])('is told of its attempt once: %s [1.27]', (_what, steps, n, outcome) => {
    const node = nodeAfter(continued(past, ...steps));
    expect(told(node)).toEqual([[n, 1, outcome]]);
    expect(node.effects.find((one) => one.n === n)?.task).toEqual({ kind: 'tell ending', interface: 'rack', outcome });
  });

  it('is not told of an attempt that had never been in inspect wait [1.27]', () => {
    const inInspecting = inspecting(fields);
    expect(told(nodeAfter(continued(inInspecting, [failed(2, 'no', rack), 11_000])))).toEqual([]);
    expect(told(nodeAfter(continued(inInspecting, [returned(2, 'MANAGEABLE', {}, rack), 11_000])))).toEqual([]);
    expect(told(nodeAfter(continued(inInspecting, [interrupt('all', 'restart', rack), 11_000])))).toEqual([]);
    const cleansUp: InspectInterfaceFacts = { ...rack, powerOff: 'always' };
    const found = continued(inInspecting, [returned(2, 'MANAGEABLE', {}, cleansUp), 11_000]);
    expect(told(nodeAfter(continued(found, [done(3, { powerState: 'power off' }, cleansUp), 12_000])))).toEqual([]);
  });

  it('is told after the machine was cleaned up, and of a clean-up that failed as of a failure', () => {
    const facts: InspectInterfaceFacts = { ...rack, powerOff: 'always', takesData: true };
    const booted = continued(
      manageable(fields),
      [inspectManaged('ipxe', facts), 10_000],
      [returned(2, 'INSPECTWAIT', { manageBoot: true }, facts), 11_000],
    );
    const kinds = (node: Node) => node.effects.map(({ task }) => task.kind);
    expect(kinds(nodeAfter(continued(booted, [elapse(1, 1, facts), DUE])))).toEqual([
      'clean up boot',
      'power',
      'tell ending',
    ]);
    const found = continued(booted, [continueWith(null, facts), 12_000], [done(3, {}, facts), 13_000]);
    const cleaned = continued(found, [done(4, {}, facts), 14_000]);
    expect(told(nodeAfter(cleaned))).toEqual([]);
    const off = done(5, { powerState: 'power off', changed: true }, facts);
    expect(told(nodeAfter(continued(cleaned, [off, 15_000])))).toEqual([[6, 1, 'done']]);
    expect(told(nodeAfter(continued(cleaned, [failed(5, 'stuck', facts), 15_000])))).toEqual([[6, 1, 'fail']]);
  });

  it('is told of what the ramdisk brought, also when the hooks refuse it', () => {
    const facts: InspectInterfaceFacts = { ...rack, takesData: true };
    const resumed = continued(waiting(fields, facts, null), [continueWith(null, facts), 12_000]);
    expect(told(nodeAfter(resumed))).toEqual([]);
    expect(told(nodeAfter(continued(resumed, [done(3, {}, facts), 13_000])))).toEqual([[4, 1, 'done']]);
    expect(told(nodeAfter(continued(resumed, [failed(3, 'no disk', facts), 13_000])))).toEqual([[4, 1, 'fail']]);
    expect(told(nodeAfter(continued(resumed, [interrupt('all', 'restart', facts), 13_000])))).toEqual([[4, 1, 'fail']]);
  });

  it('changes no state with its answer: a failure extends the reason of the ending, or is only noted', () => {
    const timedOut = continued(past, [elapse(1, 1, rack), DUE]);
    const after = nodeAfter(continued(timedOut, [failed(3, 'rack gone', rack), DUE + 1]));
    expect(after).toMatchObject({ provisionState: 'inspect failed', effects: [] });
    expect(after.lastError).toMatch(/^Timeout reached.* Also: .*rack failed at being told of the ending: rack gone$/);
    const finished = continued(past, [report(1, 10_000, { inspect: rack }), at]);
    const noted = continued(finished, [failed(3, 'rack gone', rack), DUE]);
    expect(nodeAfter(noted)).toMatchObject({ provisionState: 'manageable', lastError: null, effects: [] });
    expect(noted.at(-1)).toMatchObject({ type: 'CleanUpFailed', data: { effect: 3 } });
    expect(nodeAfter(continued(finished, [done(3, {}, rack), DUE])).effects).toEqual([]);
  });

  it('is told before a new start, by effect order', () => {
    const again = continued(past, [elapse(1, 1, rack), DUE], [provision('inspect', rack), DUE + 1]);
    expect(nodeAfter(again).effects.map(({ n, attempt, task }) => [n, attempt, task.kind])).toEqual([
      [3, 1, 'tell ending'],
      [4, 2, 'inspect'],
    ]);
  });

  it('leaves nothing in the log of a node that is deleted under it', () => {
    const gone = continued(past, [maintain(), 20_000], [remove, 21_000]);
    expect(gone.slice(-2).map(({ type }) => type)).toEqual(['InspectionRemoved', 'NodeRemoved']);
  });
});

it('the interfaces that ship are told of nothing, as before', () => {
  for (const facts of [fake, agent]) {
    const ended = continued(waiting({ inspect_interface: facts.name }, facts, null), [elapse(1, 1, facts), DUE]);
    expect(told(nodeAfter(ended))).toEqual([]);
  }
});

const number = fc.noBias(fc.integer({ min: 0, max: 100_000 }));
const chance: fc.Arbitrary<Throw> = fc.record({
  what: number,
  which: number,
  how: number,
  afterMs: fc.constantFrom(1, 500, 32_000, 1_800_000),
});

/** The next command of a throw, or nothing where it is refused. */
function next(stream: NodeStream, one: Throw, now: number): readonly NodeEvent[] {
  const command: NodeCommand = commandOf(stream, one, now);
  try {
    return decide(command, stream, contextAt(now));
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

it('whatever commands arrive, each attempt that waited is told of once, with the way in which it ended [1.27]', () => {
  const outcomes: Readonly<Record<string, string>> = {
    InspectionFinished: 'done',
    InspectionFailed: 'fail',
    InspectionAborted: 'abort',
    InspectionTimedOut: 'timeout',
  };
  let toldOf = 0;
  fc.assert(
    fc.property(fc.array(chance, { minLength: 20, maxLength: 60, size: 'max' }), (throws) => {
      let stream = emptyStream;
      let now = 1_000_000;
      for (const one of throws) {
        now += one.afterMs;
        for (const event of next(stream, one, now)) {
          const { node } = stream;
          const outcome = outcomes[event.type];
          if (outcome !== undefined && node?.inspection) {
            const cleanUp = 'cleanUp' in event.data ? event.data.cleanUp : [];
            const words = cleanUp.flatMap(({ task }) => (task.kind === 'tell ending' ? [task.outcome] : []));
            const hears = node.inspection.interface === 'redfish' && node.inspection.waited;
            expect(words).toEqual(hears ? [outcome] : []);
            toldOf += words.length;
          }
          stream = evolve(stream, event);
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(toldOf).toBeGreaterThan(0);
});
