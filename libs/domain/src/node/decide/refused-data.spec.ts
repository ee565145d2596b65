import { specify } from '@lib/testing/specify';
import type { NodeCommand, NodeEvent } from '..';
import {
  DUE,
  agent,
  contextAt,
  continueWith,
  continued,
  done,
  failed,
  inspecting,
  inspector,
  manageable,
  nodeAfter,
  nodeDecider,
  provision,
  streamAfter,
  timedOut,
  waiting,
} from '../spec';
import { REFUSED_BYTES_PER_ATTEMPT_MAX, REFUSED_PER_ATTEMPT_MAX } from './refused-data';

const given = specify(nodeDecider, contextAt);
const payloadOf = (name: string) => ({ inventory: `in-${name}`, pluginData: `beside-${name}` });
const keep = (name = 'a', bytes = 1000): NodeCommand => ({ type: 'KeepRefused', payload: payloadOf(name), bytes });
const promote = (record = 1, inspect = agent): NodeCommand => ({ type: 'PromoteRefused', record, inspect });
const late = (...names: string[]): readonly NodeEvent[] =>
  names.reduce((past, name, at) => continued(past, [keep(name), DUE + 10 + at]), timedOut());

describe('data that was refused', () => {
  it('is kept with the attempt that was, where the node was, and why', () => {
    given(timedOut())
      .when(keep(), DUE + 10)
      .then({
        type: 'InspectionDataRefused',
        data: {
          at: DUE + 10,
          record: 1,
          attempt: 1,
          state: 'inspect failed',
          why: 'late',
          payload: payloadOf('a'),
          bytes: 1000,
        },
      });
    const processing = continued(waiting({}, agent), [continueWith(), 20_000]);
    expect(nodeAfter(continued(processing, [keep(), 20_001])).refused).toMatchObject([{ why: 'duplicate' }]);
    expect(nodeAfter(continued(waiting(), [keep(), 20_001])).refused).toMatchObject([{ why: 'not expected' }]);
  });

  it('changes nothing of the node', () => {
    const { refused, ...rest } = nodeAfter(late('a'));
    const { refused: none, ...before } = nodeAfter(timedOut());
    expect(rest).toEqual(before);
    expect([refused.length, none.length]).toEqual([1, 0]);
  });

  it('is kept once, and no more than the limits allow until the node is inspected anew', () => {
    given(late('a'))
      .when(keep('a'), DUE + 20)
      .thenNothing();
    const full = late(...Array.from({ length: REFUSED_PER_ATTEMPT_MAX }, (_, at) => `${at}`));
    given(full)
      .when(keep('one more'), DUE + 20)
      .thenNothing();
    given(late('a'))
      .when(keep('b', REFUSED_BYTES_PER_ATTEMPT_MAX - 999), DUE + 20)
      .thenNothing();
    const again = continued(full, [provision('inspect'), DUE + 30], [failed(5, 'no power'), DUE + 31]);
    expect(nodeAfter(continued(again, [keep('0'), DUE + 40])).refused.at(-1)).toMatchObject({ n: 6, attempt: 2 });
    const manyTimes = ['b', 'c', 'd', 'e', 'f'].reduce(
      (past, name, at) => continued(past, [keep(name), DUE + 50 + at]),
      again,
    );
    expect(nodeAfter(manyTimes).refused.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('of no node is nobody’s', () => {
    given([]).when(keep(), 1).thenNothing();
  });
});

describe('refused data that is promoted', () => {
  const promoted = () => continued(late('a', 'b'), [promote(2), DUE + 100]);

  it('is processed in a new attempt', () => {
    const node = nodeAfter(promoted());
    expect(node).toMatchObject({
      provisionState: 'inspecting',
      lastError: null,
      inspection: { attempt: 2, usesData: true },
    });
    expect(node.effects.at(-1)).toMatchObject({ task: { kind: 'process inspection data', payload: payloadOf('b') } });
    expect(node.refused.map(({ promotedBy }) => promotedBy)).toEqual([null, 2]);
  });

  it('ends well or fails, and leaves the machine alone', () => {
    const n = streamAfter(promoted()).counters.effect;
    const inventory = { inventory: 'i', pluginData: 'p' };
    const finished = continued(promoted(), [done(n, { inventory }, agent), DUE + 200]);
    expect(nodeAfter(finished)).toMatchObject({ provisionState: 'manageable', inventory });
    const broken = continued(promoted(), [failed(n, 'bad data', agent), DUE + 200]);
    expect(nodeAfter(broken)).toMatchObject({
      provisionState: 'inspect failed',
      lastError: expect.stringContaining('bad data'),
    });
    const powerBefore = nodeAfter(promoted()).effects.filter(({ task }) => task.kind === 'power');
    for (const past of [finished, broken]) {
      expect(nodeAfter(past).effects.filter(({ task }) => task.kind === 'power')).toEqual(powerBefore);
    }
  });

  it('needs its record, a state that an inspection starts from, and an interface that takes data', () => {
    given(late('a'))
      .when(promote(2), DUE + 100)
      .thenRefused('RESOURCE_NOT_FOUND');
    given(late('a'))
      .when(promote(1, inspector), DUE + 100)
      .thenRefused('UNSUPPORTED_EXTENSION');
    const during = continued(waiting({}, agent), [keep(), 20_000]);
    given(during).when(promote(), 20_001).thenRefused('STATE_CONFLICT');
    given(continued(inspecting(), [keep(), 10_500]))
      .when(promote(), 10_501)
      .thenRefused('NODE_LOCKED');
    given([]).when(promote(), 1).thenRefused('NODE_NOT_FOUND');
    expect(nodeAfter(continued(manageable(), [keep(), 4000], [promote(), 4001]))).toMatchObject({
      provisionState: 'inspecting',
      inspection: { attempt: 1 },
    });
  });
});
