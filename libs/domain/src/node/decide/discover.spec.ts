import { specify } from '@lib/testing/specify';
import type { NodeEvent } from '..';
import {
  HOST,
  UUID,
  agent,
  cancelled,
  continued,
  contextAt,
  discover,
  done,
  enrolled,
  failed,
  manageable,
  nodeAfter,
  nodeDecider,
  payload,
  provision,
  someFields,
  story,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const task = { kind: 'process inspection data', payload } as const;
const started = (n: number, tokenDigest: string | null = null): NodeEvent => ({
  type: 'DiscoveryStarted',
  data: { at: 1000, effect: { n, attempt: null, task }, host: HOST, tokenDigest },
});
const discovered = () => story([discover(), 1000]);
const inventory = { inventory: 'i', pluginData: 'p' };

describe('a machine that nobody knows and that posts its data', () => {
  it('becomes a node in enroll, held while its data is processed', () => {
    const fields = someFields({ inspect_interface: 'agent' });
    given([])
      .when(discover('digest-1'), 1000)
      .then(
        { type: 'NodeEnrolled', data: { at: 1000, uuid: UUID, fields, state: 'enroll', keyId: null } },
        started(1, 'digest-1'),
      );
    expect(nodeAfter(discovered())).toMatchObject({
      provisionState: 'enroll',
      inspection: null,
      inspectionStartedAt: null,
      reservation: { host: HOST, effect: 1 },
      driverInternalInfo: { agent_last_heartbeat: '1970-01-01T00:00:01.000000' },
    });
  });

  it('is still in enroll when that has gone well, with what was found', () => {
    const found = done(1, { inventory, properties: { cpu_arch: 'x86_64' } }, agent);
    given(discovered())
      .when(found, 2000)
      .then(
        { type: 'NodeUpdated', data: { at: 2000, changed: { properties: { cpu_arch: 'x86_64' } } } },
        { type: 'DiscoveryFinished', data: { at: 2000, effect: 1, inventory } },
      );
    expect(nodeAfter(continued(discovered(), [found, 2000]))).toMatchObject({
      provisionState: 'enroll',
      inventory,
      reservation: null,
      lastError: null,
      inspectionFinishedAt: null,
    });
  });

  it('is still in enroll when it has not, and says why; the machine is left alone', () => {
    for (const ended of [failed(1, 'no NICs', agent), cancelled(1, agent)]) {
      const node = nodeAfter(continued(discovered(), [ended, 2000]));
      expect(node).toMatchObject({ provisionState: 'enroll', reservation: null, inventory: null, effects: [] });
      expect(node.lastError).toMatch(/^Failed to finish inspection: /);
    }
  });

  it('that posts again is the same node while that is in enroll, and nobody’s data afterwards', () => {
    given(discovered()).when(discover(), 1500).thenRefused('RESOURCE_NOT_FOUND');
    const without = continued(discovered(), [failed(1, 'no NICs', agent), 2000]);
    given(without).when(discover('digest-2'), 1000).then(started(2, 'digest-2'));
    expect(nodeAfter(continued(without, [discover(), 3000])).lastError).toBeNull();
    given(enrolled()).when(discover(), 1000).then(started(1));
    given(manageable()).when(discover(), 5000).thenRefused('RESOURCE_NOT_FOUND');
  });

  it('goes the way of every other node from there, and its data can be processed again', () => {
    const known = continued(discovered(), [done(1, { inventory }, agent), 2000]);
    const managed = continued(known, [provision('manage', agent), 3000], [done(2, {}, agent), 4000]);
    given(managed)
      .when({ type: 'ReprocessData', inspect: agent }, 5000)
      .then(expect.objectContaining({ data: expect.objectContaining({ attempt: 1, reprocesses: 0 }) }));
    given(discovered()).when(provision('manage', agent), 1500).thenRefused('NODE_LOCKED', true);
  });
});
