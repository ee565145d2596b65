import { specify } from '@lib/testing/specify';
import type { NodeEvent } from '..';
import {
  DUE,
  HOST,
  aborting,
  agent,
  cancelled,
  continueWith,
  continued,
  contextAt,
  done,
  elapse,
  failed,
  fake,
  inspecting,
  maintain,
  manageable,
  nodeAfter,
  nodeDecider,
  payload,
  power,
  provision,
  remove,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const fields = { inspect_interface: 'agent' };
const agentWaits = () => waiting(fields, agent);
const effect = { n: 3, attempt: 1, task: { kind: 'process inspection data', payload } } as const;
const resumed = (tokenDigest: string | null = null): NodeEvent => ({
  type: 'InspectionResumed',
  data: { at: 20_000, attempt: 1, effect, host: HOST, tokenDigest },
});
const processing = () => continued(agentWaits(), [continueWith(), 20_000]);
const inventory = { inventory: 'sha256:i', pluginData: 'sha256:p' };
const powerOff = {
  n: 4,
  attempt: 1,
  task: { kind: 'power', target: 'power off', timeoutSeconds: null, cleanUp: true },
} as const;

describe('data of a ramdisk', () => {
  it('takes the node out of inspect wait, to be processed', () => {
    given(agentWaits()).when(continueWith(), 20_000).then(resumed());
    expect(nodeAfter(processing())).toMatchObject({
      provisionState: 'inspecting',
      targetProvisionState: 'manageable',
      inspectionStartedAt: 20_000,
      deadlines: [],
      reservation: { host: HOST, effect: 3 },
      driverInternalInfo: { agent_last_heartbeat: '1970-01-01T00:00:20.000000' },
    });
  });

  it('gets a token with the answer where there is none yet', () => {
    given(agentWaits()).when(continueWith('digest-1'), 20_000).then(resumed('digest-1'));
    const issued = continued(agentWaits(), [continueWith('digest-1'), 20_000]);
    expect(nodeAfter(issued).agentTokenDigest).toBe('digest-1');
  });

  it('is taken in maintenance (MNT-01)', () => {
    given(continued(agentWaits(), [maintain(), 15_000]))
      .when(continueWith(), 20_000)
      .then(resumed());
  });

  it('waits for a start that is still open: the machine was quicker than we were', () => {
    given(inspecting(fields)).when(continueWith(), 10_500).thenRefused('NODE_LOCKED', true);
  });

  it('waits for whoever holds the node', () => {
    given(aborting()).when(continueWith(null, fake), 20_500).thenRefused('NODE_LOCKED', true);
  });

  it('is not found, with one text, everywhere else', () => {
    const pasts: readonly (readonly NodeEvent[])[] = [
      [],
      manageable(),
      processing(),
      continued(processing(), [done(3, { inventory }, agent), 21_000], [done(4), 22_000]),
      continued(agentWaits(), [elapse(1, 1, agent), DUE]),
      continued(agentWaits(), [provision('abort', agent), 15_000], [done(3, {}, agent), 15_500]),
    ];
    const texts = pasts.map(
      (past) =>
        given(past)
          .when(continueWith('digest-9'), DUE + 5)
          .thenRefused('RESOURCE_NOT_FOUND').message,
    );
    expect(new Set(texts)).toEqual(new Set(['Resource could not be found.']));
  });
});

describe('while data is processed', () => {
  it('there is nothing to time out, to abort or to delete', () => {
    expect(nodeDecider.decide(elapse(1, 1, agent), nodeDecider.initial, contextAt(DUE))).toEqual([]);
    given(processing())
      .when(elapse(1, 1, agent), DUE)
      .thenNothing();
    given(processing()).when(provision('abort', agent), 21_000).thenRefused('NODE_LOCKED');
    given(processing()).when(remove, 21_000).thenRefused('NODE_LOCKED', true);
    given(processing()).when(power('power off'), 21_000).thenRefused('NODE_LOCKED', true);
  });

  it('a removal in maintenance ends the attempt', () => {
    given(continued(processing(), [maintain(), 20_500]))
      .when(remove, 21_000)
      .then(
        { type: 'InspectionRemoved', data: { at: 21_000, attempt: 1 } },
        { type: 'NodeRemoved', data: { at: 21_000 } },
      );
  });
});

describe('data that was processed', () => {
  const found = done(3, { inventory, properties: { cpu_arch: 'x86_64' } }, agent);

  it('changes the properties that it names, and powers the machine off before the node is done', () => {
    given(processing())
      .when(found, 21_000)
      .then(
        { type: 'NodeUpdated', data: { at: 21_000, changed: { properties: { cpu_arch: 'x86_64' } } } },
        {
          type: 'InspectionCleanUpStarted',
          data: { at: 21_000, attempt: 1, effect: 3, next: powerOff, inventory, host: HOST },
        },
      );
    expect(nodeAfter(continued(processing(), [found, 21_000], [done(4), 22_000]))).toMatchObject({
      provisionState: 'manageable',
      inventory,
      inspectionStartedAt: null,
      inspectionFinishedAt: 22_000,
      reservation: null,
      agentTokenDigest: null,
    });
  });

  it('leaves other properties, and says nothing of those that were the same', () => {
    const known = waiting({ ...fields, properties: { cpu_arch: 'x86_64', local_gb: 7 } }, agent);
    const past = continued(known, [continueWith(), 20_000]);
    given(past)
      .when(found, { at: 21_000, inspectorPowerOff: false })
      .then({ type: 'InspectionFinished', data: { at: 21_000, attempt: 1, effect: 3, inventory, cleanUp: [] } });
    expect(nodeAfter(continued(past, [found, 21_000])).fields.properties).toEqual({ cpu_arch: 'x86_64', local_gb: 7 });
  });

  it('that is no use fails the inspection with the reason, and the machine is powered off', () => {
    const error = 'Failed to finish inspection: failed to run inspection hooks: no';
    given(processing())
      .when(failed(3, 'failed to run inspection hooks: no', agent), 21_000)
      .then({
        type: 'InspectionFailed',
        data: { at: 21_000, attempt: 1, effect: 3, error, history: true, cleanUp: [powerOff] },
      });
  });

  it('keeps the node when its work was dropped, as a failure', () => {
    expect(nodeAfter(continued(processing(), [cancelled(3, agent), 21_000]))).toMatchObject({
      provisionState: 'inspect failed',
      lastError: expect.stringMatching(/^Failed to finish inspection: /),
    });
  });

  it('comes too late for a node that was removed and made again', () => {
    const removed = continued(processing(), [maintain(), 20_500], [remove, 21_000]);
    given(removed).when(found, 22_000).thenNothing();
  });
});

describe('what a start did to the machine', () => {
  const machine = { powerState: 'power on', changed: true, bootDevice: { device: 'pxe', persistent: false } } as const;
  const seen = { powerState: 'power on', bootDevice: machine.bootDevice };

  it('shows while the node waits', () => {
    const past = continued(inspecting(fields), [
      done(2, { returned: 'INSPECTWAIT', manageBoot: false, machine }, agent),
      11_000,
    ]);
    expect(nodeAfter(past)).toMatchObject({
      ...seen,
      driverInternalInfo: { inspector_manage_boot: false, last_power_state_change: '1970-01-01T00:00:11.000000' },
    });
  });

  it('shows after a failure on the way', () => {
    const outcome = { result: 'failed', reason: 'unable to start inspection: no', machine } as const;
    const past = continued(inspecting(fields), [{ type: 'EndEffect', effect: 2, outcome, inspect: agent }, 11_000]);
    expect(nodeAfter(past)).toMatchObject({ provisionState: 'inspect failed', ...seen });
  });
});
