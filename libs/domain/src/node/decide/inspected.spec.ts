import { specify } from '@lib/testing/specify';
import type { EffectOutcome, NodeCommand } from '..';
import {
  DUE,
  STARTED,
  agent,
  cancelled,
  contextAt,
  continued,
  done,
  failed,
  fake,
  inspecting,
  inspectManaged,
  inspector,
  manageable,
  nodeAfter,
  nodeDecider,
  provision,
  returned,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const inventory = { inventory: 'sha256:1', pluginData: 'sha256:2' };

describe('an interface that returns MANAGEABLE', () => {
  it('has finished the inspection, with what it found', () => {
    given(inspecting())
      .when(returned(2, 'MANAGEABLE', { inventory }, fake), 12_000)
      .then({ type: 'InspectionFinished', data: { at: 12_000, attempt: 1, effect: 2, inventory, cleanUp: [] } });
  });

  it('tells what is odd about it, in the event that takes it in', () => {
    const value = { inventory, warnings: ['NIC 2 has no name'] };
    given(inspecting())
      .when(returned(2, 'MANAGEABLE', value, fake), 12_000)
      .then({
        type: 'InspectionFinished',
        data: { at: 12_000, attempt: 1, effect: 2, inventory, cleanUp: [], warnings: ['NIC 2 has no name'] },
      });
  });

  it('leaves a node at rest, its time of finishing known', () => {
    expect(nodeAfter(continued(inspecting(), [returned(2, 'MANAGEABLE', { inventory }, fake), 12_000]))).toMatchObject({
      provisionState: 'manageable',
      targetProvisionState: null,
      reservation: null,
      inspection: null,
      deadlines: [],
      effects: [],
      inventory,
      inspectionStartedAt: null,
      inspectionFinishedAt: 12_000,
    });
  });

  it('without data keeps the data of the run before', () => {
    const once = continued(inspecting(), [returned(2, 'MANAGEABLE', { inventory }, fake), 12_000]);
    const twice = continued(once, [provision('inspect'), 13_000], [returned(3, 'MANAGEABLE', {}, fake), 14_000]);
    expect(nodeAfter(twice).inventory).toEqual(inventory);
  });
});

describe('an interface that returns MANAGEABLE after rules', () => {
  it('has what they made of fields and traits, with the same end', () => {
    const ruledFields = { extra: { rack: 7 }, properties: { cpus: 4 } };
    const value = { inventory, properties: { cpus: 2 }, ruledFields, traits: ['CUSTOM_A'] };
    const after = nodeAfter(continued(inspecting(), [returned(2, 'MANAGEABLE', value, fake), 12_000]));
    expect(after).toMatchObject({
      provisionState: 'manageable',
      fields: ruledFields,
      traits: ['CUSTOM_A'],
    });
  });

  it('has failed where one of them said so, and keeps the data that it found', () => {
    const value = { inventory, properties: { cpus: 2 }, failure: 'no such rack' };
    given(inspecting())
      .when(returned(2, 'MANAGEABLE', value, fake), 12_000)
      .then({
        type: 'InspectionFailed',
        data: { at: 12_000, attempt: 1, effect: 2, error: 'no such rack', history: true, cleanUp: [], inventory },
      });
    const after = nodeAfter(continued(inspecting(), [returned(2, 'MANAGEABLE', value, fake), 12_000]));
    expect(after).toMatchObject({ provisionState: 'inspect failed', lastError: 'no such rack', inventory });
    expect(after.fields.properties).toEqual({});
  });
});

describe('an interface that returns INSPECTWAIT', () => {
  it('releases the node into inspect wait under a deadline, and the inspector is told to start [1.2, 1.27]', () => {
    given(inspecting())
      .when(returned(2, 'INSPECTWAIT', { manageBoot: false, lookupBmcAddresses: ['192.0.2.7'] }), 11_000)
      .then({
        type: 'InspectionWaiting',
        data: {
          at: 11_000,
          attempt: 1,
          effect: 2,
          deadline: { n: 1, due: DUE },
          manageBoot: false,
          lookupBmcAddresses: ['192.0.2.7'],
          next: { n: 3, attempt: 1, task: { kind: 'start introspection', manageBoot: true } },
          deprecatedReturn: false,
        },
      });
  });

  it('is free for updates and power, and shows who manages boot and where its BMC is [1.2]', () => {
    const value = { manageBoot: false, lookupBmcAddresses: ['192.0.2.7'] };
    expect(nodeAfter(continued(inspecting(), [returned(2, 'INSPECTWAIT', value), 11_000]))).toMatchObject({
      provisionState: 'inspect wait',
      targetProvisionState: 'manageable',
      reservation: null,
      driverInternalInfo: { inspector_manage_boot: false, lookup_bmc_addresses: ['192.0.2.7'] },
    });
  });

  it('opens nothing where the conductor manages boot: its start has told the inspector already', () => {
    const started = continued(manageable(), [inspectManaged('ipxe'), STARTED]);
    expect(nodeAfter(started).inspection).toMatchObject({ manageBoot: true, bootInterface: 'ipxe' });
    const past = continued(started, [returned(2, 'INSPECTWAIT', { manageBoot: true }), 11_000]);
    expect(nodeAfter(past)).toMatchObject({
      effects: [],
      inspection: { manageBoot: true, bootInterface: 'ipxe' },
      driverInternalInfo: { inspector_manage_boot: true },
    });
  });

  it('opens nothing where the ramdisk needs no inspector', () => {
    expect(nodeAfter(continued(inspecting(), [returned(2, 'INSPECTWAIT', {}, agent), 11_000])).effects).toEqual([]);
  });

  it('measures the deadline from the entry into inspecting, however long the start took', () => {
    const late = continued(inspecting(), [returned(2, 'INSPECTWAIT'), DUE + 5]);
    expect(nodeAfter(late).deadlines).toMatchObject([{ n: 1, due: DUE }]);
  });

  it.each([
    [0, null],
    [0.0001, STARTED + 1],
    [1.5, STARTED + 1500],
    [30 * 24 * 3600, STARTED + 2_592_000_000],
    [10 * 365 * 24 * 3600, STARTED + 315_360_000_000],
  ])('under a timeout of %d s is due at %d', (seconds, due) => {
    const past = inspecting({ driver_info: { inspect_wait_timeout: seconds } });
    const waits = nodeAfter(continued(past, [returned(2, 'INSPECTWAIT'), 11_000]));
    expect(waits.deadlines.map((deadline) => deadline.due)).toEqual(due === null ? [] : [due]);
  });

  it('uses the timeout of its start, not one that is set meanwhile', () => {
    const past = continued(manageable(), [provision('inspect'), { at: STARTED, inspectWaitTimeoutSeconds: 5 }]);
    const waits = continued(past, [returned(2, 'INSPECTWAIT'), { at: 11_000, inspectWaitTimeoutSeconds: 9 }]);
    expect(nodeAfter(waits).deadlines).toMatchObject([{ due: STARTED + 5000 }]);
  });
});

describe('an interface that returns INSPECTING', () => {
  it('waits, with a warning to be given [1.24]', () => {
    const [event] = continued(inspecting(), [returned(2, 'INSPECTING'), 11_000]).slice(-1);
    expect(event).toMatchObject({ type: 'InspectionWaiting', data: { deprecatedReturn: true, deadline: { n: 1 } } });
  });

  it('fails where the settings end the deprecation [1.24]', () => {
    given(inspecting())
      .when(returned(2, 'INSPECTING'), { at: 11_000, inspectingReturn: 'fail' })
      .then({
        type: 'InspectionFailed',
        data: {
          at: 11_000,
          attempt: 1,
          effect: 2,
          error: expect.stringContaining('INSPECTING') as string,
          history: true,
          cleanUp: [],
        },
      });
  });

  it('is the only word that the switch is about', () => {
    const state = given(inspecting())
      .when(returned(2, 'INSPECTWAIT'), { at: 11_000, inspectingReturn: 'fail' })
      .thenState();
    expect(state.node?.provisionState).toBe('inspect wait');
  });
});

describe('an interface that returns anything else', () => {
  it.each(['manageable', 'inspect wait', 'ACTIVE', '', null])('%j fails naming it', (word) => {
    expect(nodeAfter(continued(inspecting(), [returned(2, word), 11_000]))).toMatchObject({
      provisionState: 'inspect failed',
      targetProvisionState: 'manageable',
      lastError: expect.stringContaining(`unexpected state ${String(word)}.`),
    });
  });

  it('not even a word, fails', () => {
    const node = nodeAfter(continued(inspecting(), [done(2), 11_000]));
    expect(node).toMatchObject({ provisionState: 'inspect failed', lastError: expect.stringContaining('undefined') });
  });
});

describe('an interface that raises', () => {
  it('fails the inspection with its reason, in the history too', () => {
    given(inspecting())
      .when(failed(2, 'no such system'), 11_000)
      .then({
        type: 'InspectionFailed',
        data: { at: 11_000, attempt: 1, effect: 2, error: 'no such system', history: true, cleanUp: [] },
      });
    expect(nodeAfter(continued(inspecting(), [failed(2, 'no such system'), 11_000]))).toMatchObject({
      reservation: null,
      inspection: null,
      effects: [],
      inspectionStartedAt: null,
      inspectionFinishedAt: null,
    });
  });

  it('counts as failed when its work was dropped, so that the node does not stay in inspecting', () => {
    expect(nodeAfter(continued(inspecting(), [cancelled(2), 11_000]))).toMatchObject({
      provisionState: 'inspect failed',
      lastError: expect.stringContaining('cancelled'),
    });
  });
});

describe('telling the inspector to start', () => {
  const started = continued(inspecting(), [returned(2, 'INSPECTWAIT'), 11_000]);

  it('changes nothing when it worked', () => {
    given(started)
      .when(done(3), 12_000)
      .then({ type: 'EffectClosed', data: { at: 12_000, effect: 3, outcome: 'done' } });
  });

  it('fails the inspection when it did not, without a row in the history', () => {
    given(started)
      .when(failed(3, 'connection refused'), 12_000)
      .then({
        type: 'InspectionFailed',
        data: {
          at: 12_000,
          attempt: 1,
          effect: 3,
          error: 'Failed to start inspection: connection refused',
          history: false,
          cleanUp: [],
        },
      });
  });

  it('gives way to an open abort, where it was broken off for it', () => {
    const brokenOff = { ...failed(3, ''), outcome: { result: 'cancelled' } } as NodeCommand;
    given(continued(started, [provision('abort'), 11_500]))
      .when(brokenOff, 12_000)
      .then({ type: 'EffectClosed', data: { at: 12_000, effect: 3, outcome: 'cancelled' } });
  });

  it('fails under an open abort, whose effect then stands for nothing', () => {
    const past = continued(started, [provision('abort'), 11_500], [failed(3, 'connection refused'), 12_000]);
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'inspect failed',
      intent: null,
      reservation: null,
      deadlines: [],
    });
    given(past)
      .when(done(4), 13_000)
      .then({ type: 'EffectClosed', data: { at: 13_000, effect: 4, outcome: 'cancelled' } });
  });
});

describe('an outcome', () => {
  const outcomes: readonly EffectOutcome[] = [
    { result: 'done', value: { returned: 'MANAGEABLE' } },
    { result: 'failed', reason: 'late' },
    { result: 'cancelled' },
  ];
  const of = (effect: number, outcome: EffectOutcome): NodeCommand => ({
    type: 'EndEffect',
    effect,
    outcome,
    inspect: inspector,
  });

  it.each(outcomes)('$result of an effect that is closed, or never was, decides nothing', (outcome) => {
    for (const effect of [1, 2, 3, 99]) given(waiting()).when(of(effect, outcome), 20_000).thenNothing();
    given().when(of(1, outcome), 20_000).thenNothing();
  });

  it.each(outcomes)('$result of an effect whose attempt has ended closes it and nothing else', (outcome) => {
    const past = continued(
      inspecting(),
      [returned(2, 'INSPECTWAIT'), 11_000],
      [{ type: 'Elapse', n: 1, attempt: 1, inspect: inspector }, DUE],
    );
    const before = nodeAfter(past);
    given(past)
      .when(of(3, outcome), DUE + 1)
      .then({
        type: 'EffectClosed',
        data: { at: DUE + 1, effect: 3, outcome: 'cancelled' },
      });
    const after = nodeAfter(continued(past, [of(3, outcome), DUE + 1]));
    expect({ ...after, effects: [], updatedAt: 0 }).toEqual({ ...before, effects: [], updatedAt: 0 });
  });
});
