import { specify } from '@lib/testing/specify';
import {
  HOST,
  UUID,
  aborting,
  available,
  contextAt,
  continued,
  done,
  enroll,
  enrolled,
  inspecting,
  maintain,
  manageable,
  nodeAfter,
  nodeDecider,
  provision,
  remove,
  returned,
  someFields,
  story,
  streamAfter,
  timedOut,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const INSTANCE = '99999999-2222-4333-8444-555555555555';

describe('enrolling a node', () => {
  it.each(['enroll', 'available'] as const)('creates it in %s, at rest', (state) => {
    given()
      .when(enroll({ name: 'n1' }, state), 1000)
      .then({
        type: 'NodeEnrolled',
        data: {
          at: 1000,
          uuid: UUID,
          fields: someFields({ inspect_interface: 'inspector', name: 'n1' }),
          state,
          keyId: 'key-1',
        },
      });
    expect(nodeAfter(story([enroll({}, state), 1000]))).toMatchObject({
      provisionState: state,
      targetProvisionState: null,
      provisionUpdatedAt: null,
      powerState: null,
      targetPowerState: null,
      lastError: null,
      reservation: null,
      inspectionStartedAt: null,
      inspectionFinishedAt: null,
      createdAt: 1000,
    });
  });

  it('refuses a UUID that is taken', () => {
    given(enrolled()).when(enroll(), 2000).thenRefused('DUPLICATE_UUID');
  });

  it('refuses a bad deadline of its own', () => {
    given()
      .when(enroll({ driver_info: { inspect_wait_timeout: -1 } }), 0)
      .thenRefused('INVALID_PARAMETER');
  });
});

describe('removing a node', () => {
  it('needs one', () => {
    given().when(remove, 0).thenRefused('NODE_NOT_FOUND');
    given(continued(enrolled(), [remove, 2000]))
      .when(remove, 3000)
      .thenRefused('NODE_NOT_FOUND');
  });

  it.each([
    ['enroll', enrolled()],
    ['manageable', manageable()],
    ['available', available()],
  ])('is allowed in %s', (_state, past) => {
    given(past)
      .when(remove, 9000)
      .then({ type: 'NodeRemoved', data: { at: 9000 } });
  });

  it('in available depends on the settings', () => {
    const refusal = given(available())
      .when(remove, { at: 9000, allowDeletingAvailable: false })
      .thenRefused('STATE_CONFLICT');
    expect(refusal.message).toContain('manageable, enroll, adopt failed');
    expect(refusal.message).not.toContain(', available');
  });

  it.each([
    ['inspect wait', waiting()],
    ['inspect failed', timedOut()],
  ])('in %s is refused, and allowed in maintenance', (_state, past) => {
    given(past).when(remove, 3_000_000).thenRefused('STATE_CONFLICT');
    expect(
      given(continued(past, [maintain(), 2_000_000]))
        .when(remove, 3_000_000)
        .thenState().node,
    ).toBeNull();
  });

  it('waits for the work that holds the node', () => {
    given(inspecting()).when(remove, 10_500).thenRefused('NODE_LOCKED', true);
  });

  it('of a node with an instance is refused before its state is looked at, and allowed in maintenance', () => {
    const past = manageable({ instance_uuid: INSTANCE });
    given(past).when(remove, 9000).thenRefused('NODE_ASSOCIATED');
    given(continued(past, [maintain(), 9000]))
      .when(remove, 9001)
      .then({ type: 'NodeRemoved', data: { at: 9001 } });
  });

  it('of a protected node is refused, also in maintenance', () => {
    given(manageable({ protected: true }))
      .when(remove, 9000)
      .thenRefused('NODE_PROTECTED');
    given(manageable({ protected: true, maintenance: true }))
      .when(remove, 9000)
      .thenRefused('NODE_PROTECTED');
  });

  it.each([
    ['inspecting', inspecting()],
    ['inspect wait', waiting()],
    ['inspect wait with an open abort', aborting()],
  ])('in maintenance never waits and ends the attempt first: %s', (_state, past) => {
    given(continued(past, [maintain(), 25_000]))
      .when(remove, 25_001)
      .then(
        { type: 'InspectionRemoved', data: { at: 25_001, attempt: 1 } },
        { type: 'NodeRemoved', data: { at: 25_001 } },
      );
  });

  it('makes late outcomes old news', () => {
    const gone = continued(aborting(), [maintain(), 25_000], [remove, 25_001]);
    given(gone).when(done(4), 26_000).thenNothing();
    given(gone)
      .when({ ...provision('abort') }, 26_000)
      .thenRefused('NODE_NOT_FOUND');
  });
});

describe('a node created again under its UUID', () => {
  const again = () =>
    continued(
      aborting(),
      [maintain(), 25_000],
      [remove, 25_001],
      [enroll(), 30_000],
      [provision('manage'), 31_000],
      [done(5), 32_000],
      [provision('inspect'), 33_000],
      [returned(6, 'INSPECTWAIT'), 34_000],
    );

  it('goes on with the numbers of its past', () => {
    const { node, counters } = streamAfter(again());
    expect(counters).toEqual({ attempt: 2, effect: 7, deadline: 3 });
    expect(node?.inspection?.attempt).toBe(2);
    expect(node?.deadlines).toEqual([
      { n: 3, attempt: 2, due: 33_000 + 1_800_000, purpose: 'inspect wait', effect: null },
    ]);
  });

  it('is not touched by what belonged to its past', () => {
    for (const effect of [1, 2, 3, 4]) given(again()).when(done(effect), 40_000).thenNothing();
    for (const n of [1, 2]) {
      given(again())
        .when({ type: 'Elapse', n, attempt: 1, inspect: { ...facts } }, 9_000_000)
        .thenNothing();
    }
  });

  it('starts without error, inventory or reservation', () => {
    expect(nodeAfter(continued(aborting(), [maintain(), 25_000], [remove, 25_001], [enroll(), 30_000]))).toMatchObject({
      lastError: null,
      inventory: null,
      reservation: null,
      effects: [],
      deadlines: [],
      intent: null,
      fields: { maintenance: false },
    });
  });
});

const facts = {
  name: 'inspector',
  abort: true,
  powerOff: 'never',
  startsIntrospection: true,
  takesData: false,
} as const;

describe('verifying a node', () => {
  it('takes the reservation until its outcome', () => {
    const verifying = story([enroll(), 1000], [provision('manage'), 2000]);
    expect(nodeAfter(verifying)).toMatchObject({
      provisionState: 'verifying',
      targetProvisionState: 'manageable',
      reservation: { host: HOST, effect: 1 },
      lastError: null,
      provisionUpdatedAt: 2000,
    });
    expect(nodeAfter(continued(verifying, [done(1, { powerState: 'power on' }), 3000]))).toMatchObject({
      provisionState: 'manageable',
      targetProvisionState: null,
      reservation: null,
      powerState: 'power on',
      provisionUpdatedAt: 3000,
    });
  });
});
