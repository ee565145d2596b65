import { specify } from '@lib/testing/specify';
import type { Node, PowerSeen } from '..';
import { HOST, aNode, contextAt, continued, nodeAfter, nodeDecider, waiting } from '../spec';

const given = specify(nodeDecider, contextAt);
const counters = { attempt: 0, effect: 4, deadline: 0 };
const inState = (state: Partial<Node>, fields = {}) =>
  specify({ ...nodeDecider, initial: { counters, node: aNode(state, fields) } }, contextAt)();
const on: Partial<Node> = { provisionState: 'manageable', powerState: 'power on' };
const note = (seen: PowerSeen) => ({ type: 'NotePower', seen }) as const;
const off = (putRight: boolean) => note({ state: 'power off', putRight });
const lost = note({ lost: 'no answer' });
const failing = { maintenance: true, maintenance_reason: 'no answer', fault: 'power failure' };

describe('what is seen of the power of a machine', () => {
  it('is nothing to speak of when it is what is recorded', () => {
    inState(on)
      .when(note({ state: 'power on', putRight: true }), 1000)
      .thenNothing();
  });

  it('is put right, which takes the node', () => {
    const effect = {
      n: 5,
      attempt: null,
      task: { kind: 'power', target: 'power on', timeoutSeconds: null, cleanUp: false },
    } as const;
    inState(on)
      .when(off(true), 1000)
      .then({ type: 'PowerChangeRequested', data: { at: 1000, effect, takesReservation: true, host: HOST } });
  });

  it.each<[string, Partial<Node>, object, boolean]>([
    ['the settings say so', on, {}, false],
    ['nothing is recorded', { ...on, powerState: null }, {}, true],
  ])('is recorded where %s', (_why, state, fields, putRight) => {
    inState(state, fields)
      .when(off(putRight), 1000)
      .then({ type: 'PowerStateSeen', data: { at: 1000, powerState: 'power off' } });
  });

  it('is recorded where the machine may not be powered off', () => {
    inState({ ...on, powerState: 'power off' }, { disable_power_off: true })
      .when(note({ state: 'power on', putRight: true }), 1000)
      .then({ type: 'PowerStateSeen', data: { at: 1000, powerState: 'power on' } });
  });

  it('is only recorded while an inspection waits, whose deadline stays', () => {
    const before = nodeAfter(waiting());
    const seen = before.powerState === 'power on' ? 'power off' : 'power on';
    given(waiting())
      .when(note({ state: seen, putRight: true }), 30_000)
      .then({ type: 'PowerStateSeen', data: { at: 30_000, powerState: seen } });
    given(waiting()).when(lost, 30_000).thenNothing();
    const after = nodeAfter(continued(waiting(), [note({ state: seen, putRight: true }), 30_000]));
    expect(after).toEqual({ ...before, powerState: seen, updatedAt: after.updatedAt });
  });

  it.each<[string, Partial<Node>, object]>([
    ['reserved', { reservation: { host: HOST, effect: 4 } }, {}],
    ['on its way to another power state', { targetPowerState: 'power off' }, {}],
    ['in maintenance', {}, { maintenance: true }],
    ['not yet verified', { provisionState: 'enroll' }, {}],
  ])('is no matter of a node that is %s', (_what, state, fields) => {
    for (const command of [off(true), off(false), lost])
      inState({ ...on, ...state }, fields)
        .when(command, 1000)
        .thenNothing();
  });

  it('is no matter of a node that is gone', () => {
    given().when(off(true), 1000).thenNothing();
    given().when(lost, 1000).thenNothing();
  });
});

describe('a machine whose power can not be read', () => {
  it('puts its node into maintenance with the fault', () => {
    inState(on)
      .when(lost, 1000)
      .then({ type: 'PowerControlLost', data: { at: 1000, error: 'no answer' } });
    const { node } = nodeDecider.evolve(
      { counters, node: aNode(on) },
      { type: 'PowerControlLost', data: { at: 1000, error: 'no answer' } },
    );
    expect(node?.fields).toMatchObject(failing);
    expect(node).toMatchObject({ powerState: null, lastError: 'no answer', reservation: null });
  });

  it('extends the reason of a failed inspection, and never replaces it', () => {
    const failed = aNode({ ...on, provisionState: 'inspect failed', lastError: 'timeout reached' });
    const event = { type: 'PowerControlLost', data: { at: 1000, error: 'no answer' } } as const;
    expect(nodeDecider.evolve({ counters, node: failed }, event).node?.lastError).toBe(
      'timeout reached Also: no answer',
    );
  });

  it('brings it back by its first answer, and is lost once only', () => {
    const broken = { ...on, powerState: null };
    inState(broken, failing).when(lost, 2000).thenNothing();
    inState(broken, failing)
      .when(off(true), 2000)
      .then({ type: 'PowerControlRegained', data: { at: 2000, powerState: 'power off' } });
    const event = { type: 'PowerControlRegained', data: { at: 2000, powerState: 'power off' } } as const;
    const { node } = nodeDecider.evolve({ counters, node: aNode(broken, failing) }, event);
    expect(node?.fields).toMatchObject({ maintenance: false, maintenance_reason: null, fault: null });
    expect(node?.powerState).toBe('power off');
  });

  it('leaves a maintenance without this fault to whoever set it', () => {
    inState(on, { ...failing, fault: 'clean failure' })
      .when(off(false), 2000)
      .thenNothing();
  });
});
