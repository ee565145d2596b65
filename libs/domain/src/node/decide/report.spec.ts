import { specify } from '@lib/testing/specify';
import {
  DUE,
  STARTED,
  bootFrom,
  contextAt,
  continued,
  enroll,
  failed,
  inspecting,
  maintain,
  manageable,
  nodeAfter,
  nodeDecider,
  provision,
  report,
  returned,
  story,
  timedOut,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const inventory = { inventory: 'a', pluginData: 'b' };

describe('a report of the inspector', () => {
  it('that it has finished ends the inspection, data first', () => {
    given(waiting())
      .when(report(1, STARTED + 500, { inventory }), 20_000)
      .then({ type: 'InspectionFinished', data: { at: 20_000, attempt: 1, effect: null, inventory, cleanUp: [] } });
    expect(nodeAfter(continued(waiting(), [report(1, STARTED, { inventory }), 20_000]))).toMatchObject({
      provisionState: 'manageable',
      inventory,
      driverInternalInfo: {},
      deadlines: [],
    });
  });

  it('without data finishes too', () => {
    expect(nodeAfter(continued(waiting(), [report(1, STARTED), 20_000]))).toMatchObject({
      provisionState: 'manageable',
      inventory: null,
    });
  });

  it('of an error fails the inspection with its text, and no row in the history', () => {
    given(waiting())
      .when(report(1, STARTED, { error: 'no disks' }), 20_000)
      .then({
        type: 'InspectionFailed',
        data: {
          at: 20_000,
          attempt: 1,
          effect: null,
          error: 'ironic-inspector inspection failed: no disks',
          history: false,
          cleanUp: [],
        },
      });
  });

  it('of an error counts before its being finished [1.19, 2.2]', () => {
    const node = nodeAfter(
      continued(waiting(), [report(1, STARTED, { error: 'Canceled by operator', inventory }), 20_000]),
    );
    expect(node).toMatchObject({
      provisionState: 'inspect failed',
      lastError: expect.stringContaining('Canceled by operator'),
      inventory: null,
      driverInternalInfo: {},
    });
  });

  it('with an empty error has finished', () => {
    const node = nodeAfter(continued(waiting(), [report(1, STARTED, { error: '' }), 20_000]));
    expect(node.provisionState).toBe('manageable');
  });

  it('about an introspection older than the attempt decides nothing', () => {
    given(waiting())
      .when(report(1, STARTED - 1, { error: 'old' }), 20_000)
      .thenNothing();
    given(waiting())
      .when(report(1, STARTED - 1), 20_000)
      .thenNothing();
  });

  it('of another attempt decides nothing', () => {
    given(waiting()).when(report(0, STARTED), 20_000).thenNothing();
    given(waiting()).when(report(2, STARTED), 20_000).thenNothing();
    const again = continued(timedOut(), [provision('inspect'), DUE + 1], [returned(5, 'INSPECTWAIT'), DUE + 2]);
    given(again)
      .when(report(1, DUE + 5, { error: 'of before' }), DUE + 9)
      .thenNothing();
    given(again)
      .when(report(2, STARTED, { error: 'of before' }), DUE + 9)
      .thenNothing();
  });

  it.each([
    ['no node', []],
    ['enroll', story([enroll(), 0])],
    ['manageable', manageable()],
    ['inspecting', inspecting()],
    ['inspect failed', timedOut()],
  ])('decides nothing in another state: %s', (_state, past) => {
    given(past).when(report(1, 9_000_000), 9_000_000).thenNothing();
    given(past)
      .when(report(1, 9_000_000, { error: 'x' }), 9_000_000)
      .thenNothing();
  });

  it('waits for its turn while the node is held', () => {
    const held = continued(waiting(), [bootFrom('pxe'), 20_000]);
    given(held).when(report(1, STARTED), 20_001).thenNothing();
    const freed = continued(held, [failed(4, 'no'), 20_002], [report(1, STARTED), 20_003]);
    expect(nodeAfter(freed).provisionState).toBe('manageable');
  });

  it('counts in maintenance, and after the time of the deadline while that has not passed', () => {
    const past = continued(waiting(), [maintain(), 20_000], [report(1, STARTED), DUE + 5]);
    expect(nodeAfter(past).provisionState).toBe('manageable');
  });
});
