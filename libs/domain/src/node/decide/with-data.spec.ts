import { specify } from '@lib/testing/specify';
import type { NodeCommand } from '..';
import {
  DUE,
  HOST,
  agent,
  continueWith,
  continued,
  contextAt,
  done,
  elapse,
  failed,
  inspector,
  manageable,
  nodeAfter,
  nodeDecider,
  payload,
  provision,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const reprocess = (inspect = agent): NodeCommand => ({ type: 'ReprocessData', inspect });
const inventory = { inventory: 'i', pluginData: 'p' };
const task = { kind: 'process inspection data', payload } as const;
const processing = () => continued(waiting({ inspect_interface: 'agent' }, agent), [continueWith(), 20_000]);
/** Inspected, and powered off: effects up to 4 are used. */
const inspected = () => continued(processing(), [done(3, { inventory }, agent), 21_000], [done(4), 22_000]);
const spoilt = () => continued(processing(), [failed(3, 'a rule said no', agent), 21_000]);
const again = () => continued(inspected(), [reprocess(), 30_000]);

describe('data that is processed again', () => {
  it('is what the ramdisk posted, in a new attempt with times of its own', () => {
    given(inspected())
      .when(reprocess(), 30_000)
      .then({
        type: 'InspectionStarted',
        data: {
          at: 30_000,
          attempt: 2,
          interface: 'agent',
          timeoutSeconds: 0,
          timeoutFrom: 'settings',
          effect: { n: 5, attempt: 2, task },
          host: HOST,
          reprocesses: 1,
        },
      });
    expect(nodeAfter(again())).toMatchObject({
      provisionState: 'inspecting',
      inspectionStartedAt: 30_000,
      inspectionFinishedAt: null,
      inspection: { attempt: 2, usesData: true },
    });
  });

  it('leaves the machine alone, and can be processed once more', () => {
    const done2 = continued(again(), [done(5, { inventory: { ...inventory, pluginData: 'q' } }, agent), 31_000]);
    expect(nodeAfter(done2)).toMatchObject({
      provisionState: 'manageable',
      inspectionFinishedAt: 31_000,
      inventory: { pluginData: 'q' },
      effects: [],
      posted: { attempt: 1, payload },
    });
    given(done2)
      .when(reprocess(), 40_000)
      .then(expect.objectContaining({ data: expect.objectContaining({ attempt: 3, reprocesses: 1 }) }));
  });

  it('may be that of an inspection that failed, and fail in its turn with a reason of its own', () => {
    const twice = continued(spoilt(), [reprocess(), 30_000]);
    const n = 5;
    expect(nodeAfter(continued(twice, [failed(n, 'still no', agent), 31_000]))).toMatchObject({
      provisionState: 'inspect failed',
      lastError: 'Failed to finish inspection: still no',
    });
    expect(nodeAfter(continued(twice, [done(n, { inventory }, agent), 31_000])).provisionState).toBe('manageable');
  });

  it('is nothing where none was taken, in other states, while the node is held, or by an interface without hooks', () => {
    given(manageable()).when(reprocess(), 5000).thenRefused('RESOURCE_NOT_FOUND');
    given([]).when(reprocess(), 1).thenRefused('NODE_NOT_FOUND');
    given(again()).when(reprocess(), 30_001).thenRefused('NODE_LOCKED');
    const waitsAgain = continued(
      inspected(),
      [provision('inspect', agent), 30_000],
      [done(5, { returned: 'INSPECTWAIT' }, agent), 31_000],
    );
    given(waitsAgain).when(reprocess(), 32_000).thenRefused('STATE_CONFLICT');
    given(inspected()).when(reprocess(inspector), 30_000).thenRefused('UNSUPPORTED_EXTENSION');
  });

  it('of an inspector is not ours: what went on to it was not kept for that', () => {
    const forwarded = continued(waiting(), [continueWith(null, inspector), 20_000]);
    const late = continued(forwarded, [elapse(2, 1), DUE + 20_000]);
    given(late)
      .when(reprocess(), DUE + 30_000)
      .thenRefused('RESOURCE_NOT_FOUND');
  });
});
