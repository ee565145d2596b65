import { specify } from '@lib/testing/specify';
import { provisionStates } from '../../states';
import type { ProvisionState } from '../../states';
import type { NodeEvent, NodeStream } from '..';
import {
  HOST,
  UUID,
  available,
  contextAt,
  continued,
  done,
  enroll,
  enrolled,
  failed,
  fake,
  inspecting,
  inspector,
  maintain,
  manageable,
  nodeAfter,
  nodeDecider,
  provision,
  someFields,
  story,
  streamAfter,
  timedOut,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);

/** A node put into a state that no command leads to yet, or that is an orphan without a reservation. */
const putInto = (state: ProvisionState, past: readonly NodeEvent[] = manageable()): NodeStream => {
  const stream = streamAfter(past);
  return { ...stream, node: stream.node && { ...stream.node, provisionState: state, reservation: null } };
};
const inState = (state: ProvisionState) => specify({ ...nodeDecider, initial: putInto(state) }, contextAt)();

describe('inspect', () => {
  it.each([
    ['manageable', manageable(), 1, 2],
    ['inspect failed', timedOut(), 2, 5],
  ] as const)('starts an attempt from %s', (_state, past, attempt, effect) => {
    given(past)
      .when(provision('inspect'), 5_000_000)
      .then({
        type: 'InspectionStarted',
        data: {
          at: 5_000_000,
          attempt,
          interface: 'inspector',
          timeoutSeconds: 1800,
          timeoutFrom: 'settings',
          effect: { n: effect, attempt, task: { kind: 'inspect' } },
          host: HOST,
        },
      });
  });

  it('shows a node that is inspecting, reserved and without error', () => {
    const node = nodeAfter(continued(timedOut(), [provision('inspect'), 5_000_000]));
    expect(node).toMatchObject({
      provisionState: 'inspecting',
      targetProvisionState: 'manageable',
      lastError: null,
      inspectionStartedAt: 5_000_000,
      inspectionFinishedAt: null,
      reservation: { host: HOST, effect: 5 },
    });
  });

  const refusing = provisionStates.filter((state) => state !== 'manageable' && state !== 'inspect failed');
  it.each(refusing)('is refused in %s', (state) => {
    inState(state).when(provision('inspect'), 1).thenRefused('INVALID_STATE');
  });

  it('is refused as locked while the worker holds the node, without waiting', () => {
    given(inspecting()).when(provision('inspect'), 11_000).thenRefused('NODE_LOCKED');
  });

  it('is not refused because of maintenance', () => {
    const state = given(continued(manageable(), [maintain(), 9000]))
      .when(provision('inspect'), 9001)
      .thenState();
    expect(state.node?.provisionState).toBe('inspecting');
  });

  it('leaves the node where it was when validation finds a problem', () => {
    const refusal = given(manageable())
      .when(provision('inspect', inspector, 'B1 is missing'), 9000)
      .thenRefused('INVALID_PARAMETER');
    expect(refusal.message).toBe('B1 is missing');
  });

  it('writes down the timeout in force, and whose it is', () => {
    const own = { driver_info: { inspect_wait_timeout: 7.5 } };
    const started = (past: readonly NodeEvent[], settings = {}) =>
      nodeAfter(continued(past, [provision('inspect'), { at: 9000, ...settings }])).inspection?.timeoutSeconds;
    expect(started(manageable(own))).toBe(7.5);
    expect(started(manageable(), { inspectWaitTimeoutSeconds: 4 })).toBe(4);
    expect(started(manageable(own), { waitTimeouts: false })).toBe(0);
    expect(started(manageable(), { waitTimeouts: false })).toBe(0);
    expect(started(manageable({ driver_info: { inspect_wait_timeout: 0 } }))).toBe(0);
  });

  it('refuses a bad timeout that an older log holds', () => {
    const past: NodeEvent[] = [
      {
        type: 'NodeEnrolled',
        data: {
          at: 0,
          uuid: UUID,
          fields: someFields({ driver_info: { inspect_wait_timeout: 'soon' } }),
          state: 'enroll',
          keyId: null,
        },
      },
      { type: 'NodeManaged', data: { at: 1, from: 'enroll' } },
    ];
    given(past).when(provision('inspect'), 2).thenRefused('INVALID_PARAMETER');
  });
});

describe('abort', () => {
  it.each(provisionStates.filter((state) => !['inspect wait', 'service failed'].includes(state)))(
    'is refused in %s',
    (state) => {
      const refusal = inState(state).when(provision('abort'), 1);
      const known = ['wait call-back', 'deploy hold', 'clean wait', 'clean hold', 'rescue wait', 'service wait'];
      const later = [...known, 'service hold'].includes(state);
      refusal.thenRefused(later ? 'UNSUPPORTED_EXTENSION' : 'INVALID_STATE');
    },
  );

  it('in inspecting is refused as locked while the worker holds the node [2.1]', () => {
    given(inspecting()).when(provision('abort'), 11_000).thenRefused('NODE_LOCKED');
  });
});

describe('manage', () => {
  it('verifies a node in enroll', () => {
    given(enrolled())
      .when(provision('manage'), 2000)
      .then({
        type: 'WorkStarted',
        data: {
          at: 2000,
          work: 'verify',
          state: 'verifying',
          effect: { n: 1, attempt: null, task: { kind: 'work', work: 'verify' } },
          host: HOST,
        },
      });
  });

  it('that cannot be verified goes back to enroll and says why', () => {
    const past = continued(enrolled(), [provision('manage'), 2000], [failed(1, 'no power'), 3000]);
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'enroll',
      targetProvisionState: null,
      reservation: null,
      lastError: expect.stringContaining('no power'),
    });
  });

  it('with a problem of the driver leaves the node in enroll', () => {
    given(enrolled())
      .when(provision('manage', inspector, 'no B1'), 2000)
      .thenRefused('INVALID_PARAMETER');
  });

  it.each([
    ['available', available()],
    ['inspect failed', timedOut()],
  ] as const)('moves a node in %s at once', (from, past) => {
    given(past)
      .when(provision('manage'), 5_000_000)
      .then({ type: 'NodeManaged', data: { at: 5_000_000, from } });
    expect(nodeAfter(continued(past, [provision('manage'), 5_000_000]))).toMatchObject({
      provisionState: 'manageable',
      targetProvisionState: null,
      provisionUpdatedAt: 5_000_000,
    });
  });

  it('after a failed cleaning keeps the error', () => {
    const past = continued(manageable(), [provision('provide'), 4000], [failed(2, 'disk'), 5000]);
    expect(nodeAfter(past)).toMatchObject({ provisionState: 'clean failed', targetProvisionState: 'available' });
    const lastError = expect.stringContaining('disk');
    expect(nodeAfter(continued(past, [provision('manage'), 6000]))).toMatchObject({
      provisionState: 'manageable',
      lastError,
    });
  });
});

describe('provide', () => {
  it('goes through cleaning to available', () => {
    const cleaning = continued(manageable(), [provision('provide'), 4000]);
    expect(nodeAfter(cleaning)).toMatchObject({
      provisionState: 'cleaning',
      targetProvisionState: 'available',
      reservation: { host: HOST, effect: 2 },
    });
    expect(nodeAfter(continued(cleaning, [done(2), 5000]))).toMatchObject({
      provisionState: 'available',
      targetProvisionState: null,
      reservation: null,
      powerState: null,
    });
  });

  it('is refused to a retired node', () => {
    given(manageable({ retired: true }))
      .when(provision('provide'), 4000)
      .thenRefused('INVALID_PARAMETER');
  });

  it('is refused in maintenance only where the settings say so', () => {
    const past = manageable({ maintenance: true });
    given(past)
      .when(provision('provide'), { at: 4000, allowProvisioningInMaintenance: false })
      .thenRefused('IN_MAINTENANCE');
    expect(given(past).when(provision('provide'), 4000).thenState().node?.provisionState).toBe('cleaning');
  });
});

describe('any verb', () => {
  it('needs a node', () => void given().when(provision('inspect'), 0).thenRefused('NODE_NOT_FOUND'));

  it.each(['bogus', '', 'inspect wait', 'constructor', '__proto__', 'toString'])('%j is no verb [1.18]', (target) => {
    given(manageable()).when(provision(target), 9000).thenRefused('INVALID_STATE');
  });

  it.each(['done', 'fail', 'wait', 'resume'])("%s is the machine's own word, not a client's [1.6]", (target) => {
    const refused = given(waiting()).when(provision(target), 20_000);
    refused.thenRefused(target === 'wait' ? 'INVALID_STATE' : 'UNSUPPORTED_EXTENSION');
  });

  it('that is possible waits for the reservation', () => {
    const past = continued(waiting(), [provision('abort'), 20_000]);
    given(past).when(provision('abort'), 20_001).thenRefused('NODE_LOCKED', true);
  });

  it('is answered by the state it is decided in, not by the interface', () => {
    given(manageable()).when(provision('abort', fake), 9000).thenRefused('INVALID_STATE');
  });

  it('leaves target_provision_state as the table says, also in inspect failed', () => {
    expect(nodeAfter(timedOut())).toMatchObject({
      provisionState: 'inspect failed',
      targetProvisionState: 'manageable',
    });
    expect(nodeAfter(manageable()).targetProvisionState).toBeNull();
  });
});

describe('a story', () => {
  it('tells of a step that decides nothing', () => {
    expect(() => story([enroll(), 0], [done(7), 1])).toThrow('step 1');
  });
});
