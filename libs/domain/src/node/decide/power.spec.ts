import { specify } from '@lib/testing/specify';
import type { Node } from '..';
import { powerTargets } from '../../states';
import type { PowerTarget } from '../../states';
import {
  HOST,
  aNode,
  bootFrom,
  contextAt,
  continued,
  done,
  elapse,
  failed,
  inspecting,
  inspector,
  manageable,
  nodeAfter,
  nodeDecider,
  power,
  provision,
  returned,
  story,
  enroll,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const inState = (state: Partial<Node>, fields = {}) =>
  specify(
    { ...nodeDecider, initial: { counters: { attempt: 0, effect: 0, deadline: 0 }, node: aNode(state, fields) } },
    contextAt,
  )();

describe('a change of power', () => {
  it('is an effect with its limit, and takes the node', () => {
    given(manageable())
      .when(power('soft power off', 30), 9000)
      .then({
        type: 'PowerChangeRequested',
        data: {
          at: 9000,
          effect: {
            n: 2,
            attempt: null,
            task: { kind: 'power', target: 'soft power off', timeoutSeconds: 30, cleanUp: false },
          },
          takesReservation: true,
          host: HOST,
        },
      });
  });

  const finals: Record<PowerTarget, string> = {
    'power on': 'power on',
    rebooting: 'power on',
    'soft rebooting': 'power on',
    'power off': 'power off',
    'soft power off': 'power off',
  };
  it.each(powerTargets)('to %s shows where it leads until it is there', (target) => {
    const asked = continued(manageable(), [power(target), 9000]);
    expect(nodeAfter(asked)).toMatchObject({
      targetPowerState: finals[target],
      powerState: null,
      reservation: { host: HOST, effect: 2 },
    });
    const powerState = finals[target] === 'power on' ? 'power on' : 'power off';
    expect(nodeAfter(continued(asked, [done(2, { powerState }), 9100]))).toMatchObject({
      targetPowerState: null,
      powerState,
      reservation: null,
      driverInternalInfo: { last_power_state_change: '1970-01-01T00:00:09.100000' },
    });
  });

  it('that was none leaves the time of the last one', () => {
    const past = continued(
      manageable(),
      [power('power on'), 9000],
      [done(2, { powerState: 'power on' }), 9100],
      [power('power on'), 9900],
      [done(3, { powerState: 'power on', changed: false }), 9950],
    );
    expect(nodeAfter(past)).toMatchObject({
      powerState: 'power on',
      driverInternalInfo: { last_power_state_change: '1970-01-01T00:00:09.100000' },
    });
  });

  it('that fails keeps the state and says why', () => {
    const past = continued(
      manageable(),
      [power('power on'), 9000],
      [done(2, { powerState: 'power on' }), 9100],
      [power('power off'), 9200],
      [failed(3, 'BMC is gone'), 9300],
    );
    expect(nodeAfter(past)).toMatchObject({
      powerState: 'power on',
      targetPowerState: null,
      reservation: null,
      lastError: expect.stringContaining('BMC is gone'),
    });
  });

  it('in inspect wait leaves the node free, for the inspector drives the machine', () => {
    const past = continued(waiting(), [power('rebooting'), 20_000], [power('power off'), 20_001]);
    expect(nodeAfter(past)).toMatchObject({ reservation: null, targetPowerState: 'power off' });
    const first = continued(past, [done(4, { powerState: 'power on' }), 20_002]);
    expect(nodeAfter(first)).toMatchObject({ powerState: 'power on', targetPowerState: 'power off' });
    const second = continued(first, [done(5, { powerState: 'power off' }), 20_003]);
    expect(nodeAfter(second)).toMatchObject({ powerState: 'power off', targetPowerState: null });
  });

  it.each(['cleaning', 'clean wait'] as const)('in %s is refused, also where the node is held', (provisionState) => {
    inState({ provisionState, reservation: { host: 'h', effect: 1 } })
      .when(power('power on'), 1)
      .thenRefused('INVALID_STATE');
  });

  it.each(['power off', 'soft power off'] as const)(
    'to %s is refused where that is disabled, before waiting',
    (target) => {
      const reservation = { host: 'h', effect: 1 };
      inState({ reservation }, { disable_power_off: true }).when(power(target), 1).thenRefused('STATE_CONFLICT');
    },
  );

  it.each(['power on', 'rebooting', 'soft rebooting'] as const)('to %s is allowed there', (target) => {
    expect(inState({}, { disable_power_off: true }).when(power(target), 1).thenState().node?.targetPowerState).toBe(
      'power on',
    );
  });

  it('waits for the work that holds the node', () => {
    given(inspecting()).when(power('power on'), 11_000).thenRefused('NODE_LOCKED', true);
  });

  it('is refused for what the driver finds wrong, after the wait', () => {
    given(manageable())
      .when(power('power on', null, 'no address'), 9000)
      .thenRefused('INVALID_PARAMETER');
    given(inspecting())
      .when(power('power on', null, 'no address'), 11_000)
      .thenRefused('NODE_LOCKED', true);
  });

  it('is not refused in maintenance', () => {
    expect(inState({}, { maintenance: true }).when(power('power on'), 1).thenState().node?.reservation).not.toBeNull();
  });

  it('needs a node', () => void given().when(power('power on'), 0).thenRefused('NODE_NOT_FOUND'));
});

describe('a boot device', () => {
  const GIVE_UP = 39_000;
  const asked = continued(manageable(), [bootFrom('pxe', true), 9000]);

  it('needs the word of the machine: an intent, held, with a time to give up', () => {
    given(manageable())
      .when(bootFrom('pxe', true), 9000)
      .then({
        type: 'BootDeviceChangeRequested',
        data: {
          at: 9000,
          effect: { n: 2, attempt: null, task: { kind: 'set boot device', device: 'pxe', persistent: true } },
          giveUp: { n: 1, due: GIVE_UP },
          host: HOST,
        },
      });
    expect(nodeAfter(asked)).toMatchObject({ reservation: { effect: 2 }, bootDevice: null });
  });

  it('is known once the machine has it', () => {
    expect(nodeAfter(continued(asked, [done(2), 9100]))).toMatchObject({
      bootDevice: { device: 'pxe', persistent: true },
      reservation: null,
      intent: null,
      deadlines: [],
      effects: [],
    });
  });

  it.each([
    ['refused', failed(2, 'not supported'), 9100],
    ['given up', elapse(1, 0), GIVE_UP],
  ])('stays what it was when %s', (_how, command, at) => {
    expect(nodeAfter(continued(asked, [command, at]))).toMatchObject({
      bootDevice: null,
      reservation: null,
      intent: null,
      deadlines: [],
      effects: [],
      lastError: null,
    });
  });

  it('is not given up early', () => {
    given(asked)
      .when(elapse(1, 0), GIVE_UP - 1)
      .thenNothing();
  });

  it('in inspect wait holds the deadline', () => {
    const past = continued(waiting(), [bootFrom('pxe'), 20_000]);
    given(past).when(elapse(1, 1), 9_000_000).thenNothing();
    given(continued(past, [done(4), 20_100]))
      .when(elapse(1, 1), 20_200)
      .thenNothing();
    expect(nodeAfter(continued(past, [done(4), 20_100], [elapse(1, 1), 9_000_000])).lastError).toMatch(
      /timeout reached/i,
    );
  });

  it('is set to its end also when the inspection fails meanwhile', () => {
    const past = continued(
      inspecting(),
      [returned(2, 'INSPECTWAIT', {}, inspector), 11_000],
      [bootFrom('pxe'), 11_100],
      [failed(3, 'connection refused'), 11_200],
    );
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'inspect failed',
      reservation: { effect: 4 },
      intent: { kind: 'set boot device', effect: 4 },
      deadlines: [{ n: 2, purpose: 'give up' }],
    });
    given(past).when(provision('inspect'), 11_300).thenRefused('NODE_LOCKED', true);
    expect(nodeAfter(continued(past, [done(4), 11_400]))).toMatchObject({
      reservation: null,
      intent: null,
      deadlines: [],
      bootDevice: { device: 'pxe' },
    });
  });

  it('waits, and is refused for what the driver finds wrong', () => {
    given(inspecting()).when(bootFrom('pxe'), 11_000).thenRefused('NODE_LOCKED', true);
    given(manageable())
      .when(bootFrom('floppy', false, 'not supported'), 9000)
      .thenRefused('INVALID_PARAMETER');
    given(story([enroll(), 0]).slice(1))
      .when(bootFrom('pxe'), 1)
      .thenRefused('NODE_NOT_FOUND');
  });
});
