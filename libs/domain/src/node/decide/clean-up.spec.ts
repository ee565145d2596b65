import { specify } from '@lib/testing/specify';
import type { InspectInterfaceFacts, Node, NodeCommand, NodeFields, Policy } from '..';
import {
  DUE,
  STARTED,
  agent,
  contextAt,
  continued,
  done,
  elapse,
  failed,
  fake,
  inspecting,
  inspectManaged,
  inspector,
  maintain,
  manageable,
  nodeAfter,
  nodeDecider,
  power,
  provision,
  remove,
  report,
  returned,
  someFields,
  timedOut,
  update,
  waiting,
} from '../spec';
import type { When } from '../spec';

const given = specify(nodeDecider, contextAt);

const redfish: InspectInterfaceFacts = { ...fake, name: 'redfish' };
const powerTasks = (node: Node) =>
  node.effects.flatMap(({ task }) => (task.kind === 'power' ? [{ target: task.target, cleanUp: task.cleanUp }] : []));
const off = [{ target: 'power off', cleanUp: true }];

interface Ending {
  readonly facts: InspectInterfaceFacts;
  readonly managed: boolean | null;
  readonly fields?: Partial<NodeFields>;
  readonly settings?: Partial<Policy>;
}

const after = ({ facts, managed, fields, settings }: Ending, ...commands: readonly NodeCommand[]) => {
  const steps = commands.map((command): readonly [NodeCommand, When] => [command, { at: DUE, ...settings }]);
  return nodeAfter(continued(waiting({ inspect_interface: facts.name, ...fields }, facts, managed), ...steps));
};
const atTimeout = (ending: Ending) => after(ending, elapse(1, 1, ending.facts));
const atError = (ending: Ending) => after(ending, report(1, 10_000, { error: 'hook', inspect: ending.facts }));
const atData = (ending: Ending) => after(ending, report(1, 10_000, { inspect: ending.facts }));
const atAbort = (ending: Ending) => {
  const effect = ending.facts.startsIntrospection && ending.managed !== true ? 4 : 3;
  return after(ending, provision('abort', ending.facts), done(effect, {}, ending.facts));
};

describe('the machine is powered off', () => {
  it.each([
    ['agent', agent, null, true, true, true],
    ['inspector that manages boot itself', inspector, false, true, false, false],
    ['inspector, boot managed by the conductor', inspector, true, true, true, true],
    ['redfish', { ...redfish, abort: true }, true, false, false, false],
    ['fake', { ...fake, abort: true }, null, false, false, false],
  ])('by the interface %s [1.8]', (_name, facts, managed, onTimeout, onError, onAbort) => {
    expect(powerTasks(atTimeout({ facts, managed }))).toEqual(onTimeout ? off : []);
    expect(powerTasks(atError({ facts, managed }))).toEqual(onError ? off : []);
    expect(powerTasks(atAbort({ facts, managed }))).toEqual(onAbort ? off : []);
    // What was prepared for the boot goes first there; see below.
    if (managed !== true) expect(powerTasks(atData({ facts, managed }))).toEqual(onError ? off : []);
  });

  it('is what target_power_state then shows', () => {
    expect(atTimeout({ facts, managed: false }).targetPowerState).toBe('power off');
  });

  it('not where the settings say so [1.8]', () => {
    expect(powerTasks(atTimeout({ facts, managed: false, settings: { inspectorPowerOff: false } }))).toEqual([]);
    expect(powerTasks(atAbort({ facts, managed: true, settings: { inspectorPowerOff: false } }))).toEqual([]);
  });

  it.each([
    [true, undefined, []],
    [false, true, []],
    [false, 'True', []],
    [false, 1, []],
    [true, false, off],
    [true, 'no', off],
    [true, null, []],
    [false, null, off],
  ])('with fast track %j in the settings and %j on the node: %j', (fastTrack, own, expected) => {
    const fields = { driver_info: own === undefined ? {} : { fast_track: own } };
    expect(powerTasks(atTimeout({ facts, managed: false, fields, settings: { fastTrack } }))).toEqual(expected);
  });

  it('but rebooted instead where power off is disabled [1.8]', () => {
    const node = atTimeout({ facts, managed: false, fields: { disable_power_off: true } });
    expect(powerTasks(node)).toEqual([{ target: 'rebooting', cleanUp: true }]);
    expect(node.targetPowerState).toBe('power on');
  });

  it('by the agent also when the start itself failed', () => {
    const node = nodeAfter(continued(inspecting(), [failed(2, 'no boot', agent), 11_000]));
    expect(powerTasks(node)).toEqual(off);
    expect(powerTasks(nodeAfter(continued(inspecting(), [failed(2, 'no boot', inspector), 11_000])))).toEqual([]);
  });

  it('by the conductor that manages boot when the start failed, and not by the one that does not', () => {
    const managed = continued(manageable(), [inspectManaged(), STARTED], [failed(2, '400'), 11_000]);
    expect(powerTasks(nodeAfter(managed))).toEqual(off);
    const begun = continued(
      inspecting(),
      [returned(2, 'INSPECTWAIT', { manageBoot: false }), 11_000],
      [failed(3, '400'), 12_000],
    );
    expect(powerTasks(nodeAfter(begun))).toEqual([]);
  });

  const facts = inspector;
});

describe('a power off that fails after the ending', () => {
  const reason = nodeAfter(timedOut()).lastError ?? '';

  it('extends the reason and leaves the state', () => {
    expect(nodeAfter(continued(timedOut(), [failed(4, 'BMC is gone'), DUE + 9]))).toMatchObject({
      provisionState: 'inspect failed',
      lastError: `${reason} Also: Failed to change the power state: BMC is gone`,
      targetPowerState: null,
      effects: [],
    });
  });

  it('leaves the text of a node that has moved on', () => {
    const managed = continued(timedOut(), [provision('manage'), DUE + 1], [failed(4, 'BMC is gone'), DUE + 9]);
    expect(nodeAfter(managed)).toMatchObject({ provisionState: 'manageable', lastError: reason });
    const again = continued(timedOut(), [provision('inspect'), DUE + 1], [failed(4, 'BMC is gone'), DUE + 9]);
    expect(nodeAfter(again)).toMatchObject({ provisionState: 'inspecting', lastError: null });
  });

  it('does not add to the reason of a later attempt', () => {
    const again = continued(timedOut(), [provision('inspect'), DUE + 1], [failed(5, 'second'), DUE + 2]);
    expect(nodeAfter(continued(again, [failed(4, 'BMC is gone'), DUE + 9])).lastError).toBe('second');
  });

  it('that works changes the power state and keeps the reason', () => {
    const node = nodeAfter(continued(timedOut(), [done(4, { powerState: 'power off' }), DUE + 9]));
    expect(node).toMatchObject({ powerState: 'power off', targetPowerState: null, lastError: reason });
  });

  it('decides nothing once the node is gone', () => {
    const gone = continued(timedOut(), [maintain(), DUE + 1], [remove, DUE + 2]);
    given(gone)
      .when(failed(4, 'BMC is gone'), DUE + 9)
      .thenNothing();
  });
});

describe('what was prepared for the boot of the ramdisk', () => {
  const boot = { kind: 'clean up boot', interface: 'ipxe' };
  const power = { kind: 'power', target: 'power off', timeoutSeconds: null, cleanUp: true };
  const tasks = (node: Node) => node.effects.map(({ n, attempt, task }) => [n, attempt, task]);
  const managed = (facts: InspectInterfaceFacts, settings: Partial<Policy> = {}): Ending => ({
    facts,
    managed: true,
    settings,
  });

  it.each([agent, inspector])('goes before the power at every ending of $name', (facts) => {
    const [abort, ended] = [4, 3];
    expect(tasks(atTimeout(managed(facts)))).toEqual([
      [ended, 1, boot],
      [ended + 1, 1, power],
    ]);
    expect(tasks(atError(managed(facts)))).toEqual(tasks(atTimeout(managed(facts))));
    expect(tasks(atAbort(managed(facts)))).toEqual([
      [abort, 1, boot],
      [abort + 1, 1, power],
    ]);
    expect(tasks(atData(managed(facts)))).toEqual([[ended, 1, boot]]);
  });

  it('goes also where the machine stays on', () => {
    expect(tasks(atTimeout(managed(agent, { inspectorPowerOff: false })))).toEqual([[3, 1, boot]]);
    expect(tasks(atTimeout(managed(inspector, { fastTrack: true })))).toEqual([[3, 1, boot]]);
  });

  it('is that of the interface that prepared it, whatever the node was given since', () => {
    const waits = continued(waiting({}, agent, true), [update(someFields({ boot_interface: 'pxe' })), 12_000]);
    expect(nodeAfter(waits).fields.boot_interface).toBe('pxe');
    expect(tasks(nodeAfter(continued(waits, [elapse(1, 1, agent), DUE])))[0]).toEqual([3, 1, boot]);
  });

  it('is nothing where somebody else boots the ramdisk', () => {
    for (const facts of [agent, inspector]) {
      const kinds = atTimeout({ facts, managed: false }).effects.map(({ task }) => task.kind);
      expect(kinds).toEqual(['power']);
    }
  });

  it('goes when the start failed on the way', () => {
    const begun = continued(manageable(), [inspectManaged('ipxe', agent), STARTED]);
    expect(tasks(nodeAfter(continued(begun, [failed(2, 'no TFTP root', agent), 11_000])))).toEqual([
      [3, 1, boot],
      [4, 1, power],
    ]);
  });

  it('changes nothing when it is gone, and extends the reason when it is not', () => {
    const over = continued(waiting({}, agent, true), [elapse(1, 1, agent), DUE]);
    const reason = nodeAfter(over).lastError ?? '';
    given(over)
      .when(done(3, {}, agent), DUE + 1)
      .then({ type: 'EffectClosed', data: { at: DUE + 1, effect: 3, outcome: 'done' } });
    const stuck = continued(over, [failed(3, 'disk full', agent), DUE + 1]);
    expect(nodeAfter(stuck)).toMatchObject({
      provisionState: 'inspect failed',
      lastError: `${reason} Also: Failed to clean up the boot of the ramdisk: disk full`,
    });
    const both = nodeAfter(continued(stuck, [failed(4, 'BMC is gone', agent), DUE + 2]));
    expect(both.lastError).toBe(
      `${reason} Also: Failed to clean up the boot of the ramdisk: disk full Also: Failed to change the power state: BMC is gone`,
    );
    expect(both.effects).toEqual([]);
  });

  describe('by an inspection that found its data', () => {
    const inventory = { inventory: 'a', pluginData: 'b' };
    const found = continued(waiting({}, agent, true), [report(1, 10_000, { inventory, inspect: agent }), 20_000]);

    it('goes first, the node held, then the power, then done', () => {
      expect(nodeAfter(found)).toMatchObject({ provisionState: 'inspect wait', reservation: { effect: 3 } });
      const gone = continued(found, [done(3, {}, agent), 21_000]);
      expect(nodeAfter(gone)).toMatchObject({
        provisionState: 'inspect wait',
        reservation: { effect: 4 },
        intent: { kind: 'clean up', effect: 4, inventory },
        targetPowerState: 'power off',
      });
      expect(tasks(nodeAfter(gone))).toEqual([[4, 1, power]]);
      expect(nodeAfter(continued(gone, [done(4, { powerState: 'power off' }, agent), 22_000]))).toMatchObject({
        provisionState: 'manageable',
        reservation: null,
        inventory,
        effects: [],
      });
    });

    it('is all there is to do where the machine stays on', () => {
      const on = { inspectorPowerOff: false };
      const past = continued(
        waiting({}, agent, true),
        [report(1, 10_000, { inventory, inspect: agent }), { at: 20_000, ...on }],
        [done(3, {}, agent), { at: 21_000, ...on }],
      );
      expect(nodeAfter(past)).toMatchObject({
        provisionState: 'manageable',
        reservation: null,
        effects: [],
        inventory,
      });
    });

    it('that does not go does not keep the machine on, and turns the run into a failure', () => {
      const stuck = continued(found, [failed(3, 'disk full', agent), 21_000]);
      expect(tasks(nodeAfter(stuck))).toEqual([[4, 1, power]]);
      const off = continued(stuck, [done(4, { powerState: 'power off' }, agent), 22_000]);
      expect(nodeAfter(off)).toMatchObject({
        provisionState: 'inspect failed',
        powerState: 'power off',
        lastError: 'Inspection clean up failed: Failed to clean up the boot of the ramdisk: disk full',
        reservation: null,
        effects: [],
        inventory: null,
      });
      expect(nodeAfter(continued(stuck, [failed(4, 'BMC is gone', agent), 22_000])).lastError).toBe(
        'Inspection clean up failed: Failed to clean up the boot of the ramdisk: disk full; Failed to change the power state: BMC is gone',
      );
    });
  });
});

describe('the clean-up of a found inspection', () => {
  const inventory = { inventory: 'a', pluginData: 'b' };
  const found = continued(waiting({}, inspector, true), [report(1, 10_000, { inventory }), 19_000], [done(3), 20_000]);

  it('comes before done: the node is held, still waits, and its deadline rests', () => {
    expect(nodeAfter(found)).toMatchObject({
      provisionState: 'inspect wait',
      reservation: { effect: 4 },
      intent: { kind: 'clean up', effect: 4 },
      targetPowerState: 'power off',
    });
    expect(nodeDecider.decide(elapse(1, 1), streamOf(), contextAt(DUE))).toEqual([]);
    given(found).when(provision('abort'), 21_000).thenRefused('NODE_LOCKED', true);
    given(found)
      .when(report(1, 10_000, { error: 'late' }), 21_000)
      .thenNothing();
  });

  it('ends in done when it works', () => {
    given(found)
      .when(done(4, { powerState: 'power off' }), 21_000)
      .then(
        { type: 'PowerChanged', data: { at: 21_000, effect: 4, powerState: 'power off', changed: true } },
        { type: 'InspectionFinished', data: { at: 21_000, attempt: 1, effect: null, inventory, cleanUp: [] } },
      );
    expect(nodeAfter(continued(found, [done(4, { powerState: 'power off' }), 21_000]))).toMatchObject({
      provisionState: 'manageable',
      reservation: null,
      intent: null,
      targetPowerState: null,
      lastError: null,
      deadlines: [],
      effects: [],
      inventory,
    });
  });

  it('fails the inspection when it does not', () => {
    expect(nodeAfter(continued(found, [failed(4, 'BMC is gone'), 21_000]))).toMatchObject({
      provisionState: 'inspect failed',
      lastError: 'Inspection clean up failed: Failed to change the power state: BMC is gone',
      reservation: null,
      intent: null,
      targetPowerState: null,
      effects: [],
      inventory: null,
    });
  });

  it('also follows a synchronous start of an interface that always powers off', () => {
    const past = continued(inspecting(), [returned(2, 'MANAGEABLE', { inventory }, agent), 11_000]);
    expect(nodeAfter(past)).toMatchObject({ provisionState: 'inspecting', reservation: { effect: 3 } });
    expect(nodeAfter(continued(past, [done(3, {}, agent), 12_000]))).toMatchObject({
      provisionState: 'manageable',
      inventory,
    });
  });

  it('is not undone by the start that is still being confirmed', () => {
    const both: InspectInterfaceFacts = { ...inspector, powerOff: 'always' };
    const unconfirmed = continued(
      inspecting(),
      [returned(2, 'INSPECTWAIT', { manageBoot: false }, both), 11_000],
      [report(1, 10_000, { inventory, inspect: both }), 12_000],
    );
    given(unconfirmed)
      .when(failed(3, 'no answer'), 13_000)
      .then({ type: 'EffectClosed', data: { at: 13_000, effect: 3, outcome: 'cancelled' } });
  });

  it('is interrupted by nothing but a delete in maintenance', () => {
    given(continued(found, [maintain(), 21_000]))
      .when(remove, 22_000)
      .then(
        { type: 'InspectionRemoved', data: { at: 22_000, attempt: 1 } },
        { type: 'NodeRemoved', data: { at: 22_000 } },
      );
    given(found).when(power('power on'), 21_000).thenRefused('NODE_LOCKED', true);
  });

  const streamOf = () => found.reduce(nodeDecider.evolve, nodeDecider.initial);
});
