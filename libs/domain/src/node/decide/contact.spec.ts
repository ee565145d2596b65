import { specify } from '@lib/testing/specify';
import type { NodeFields } from '..';
import {
  DUE,
  agent,
  aborting,
  continueWith,
  continued,
  contextAt,
  done,
  elapse,
  failed,
  heartbeat,
  inspecting,
  lookUp,
  manageable,
  nodeAfter,
  nodeDecider,
  power,
  provision,
  returned,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const agentWaits = () => waiting({ inspect_interface: 'agent' }, agent);
const lookedUp = () => continued(agentWaits(), [lookUp('digest-1'), 20_000]);
const fast = { driver_info: { fast_track: 'yes' } };

describe('a lookup', () => {
  it('issues a token to the first agent that asks, and is noted as the contact of the attempt', () => {
    given(agentWaits())
      .when(lookUp('digest-1'), 20_000)
      .then({ type: 'AgentLookedUp', data: { at: 20_000, attempt: 1, tokenDigest: 'digest-1' } });
    expect(nodeAfter(lookedUp())).toMatchObject({
      agentTokenDigest: 'digest-1',
      inspection: { contact: { kind: 'lookup', at: 20_000 } },
    });
  });

  it('that comes again changes nothing, whatever token it brings', () => {
    given(lookedUp()).when(lookUp('digest-2'), 21_000).thenNothing();
    given(lookedUp()).when(lookUp(null), 21_000).thenNothing();
  });

  it('of a client that gets no token is noted once, and leaves the token to the next', () => {
    const old = continued(agentWaits(), [lookUp(null), 20_000]);
    expect(nodeAfter(old)).toMatchObject({ agentTokenDigest: null, inspection: { contact: { kind: 'lookup' } } });
    given(old).when(lookUp(null), 21_000).thenNothing();
    given(old)
      .when(lookUp('digest-1'), 21_000)
      .then({ type: 'AgentLookedUp', data: { at: 21_000, attempt: 1, tokenDigest: 'digest-1' } });
  });

  it('finds nothing, with one text, where no ramdisk is expected', () => {
    const texts = [
      given().when(lookUp(), 1).thenRefused('RESOURCE_NOT_FOUND').message,
      given(manageable()).when(lookUp('digest-1'), 9000).thenRefused('RESOURCE_NOT_FOUND').message,
    ];
    expect(new Set(texts)).toEqual(new Set(['Resource could not be found.']));
  });

  it('finds its node in every state where the operator says so, or with fast track', () => {
    const issued = { type: 'AgentLookedUp', data: { at: 9000, attempt: null, tokenDigest: 'digest-1' } } as const;
    given(manageable()).when(lookUp('digest-1', true), 9000).then(issued);
    given(manageable(fast)).when(lookUp('digest-1'), 9000).then(issued);
    given(manageable()).when(lookUp('digest-1'), { at: 9000, fastTrack: true }).then(issued);
    given(manageable()).when(lookUp(null, true), 9000).thenNothing();
  });

  it('waits for nobody: a token that can not be issued now is asked for again', () => {
    given(inspecting()).when(lookUp('digest-1'), 10_500).thenRefused('NODE_LOCKED');
    given(aborting()).when(lookUp('digest-1'), 20_500).thenRefused('NODE_LOCKED');
    given(aborting())
      .when(lookUp(null), 20_500)
      .then({ type: 'AgentLookedUp', data: { at: 20_500, attempt: 1, tokenDigest: null } });
  });
});

describe('a token', () => {
  const digest = (past: Parameters<typeof nodeAfter>[0]) => nodeAfter(past).agentTokenDigest;
  const again = provision('inspect', agent);

  it('is forgotten at the start, the failure, the abort and the end of an inspection', () => {
    const early = continued(manageable(), [lookUp('digest-0', true), 5000]);
    expect(digest(early)).toBe('digest-0');
    expect(digest(continued(early, [again, 10_000]))).toBeNull();
    expect(digest(continued(lookedUp(), [elapse(1, 1, agent), DUE]))).toBeNull();
    expect(digest(continued(lookedUp(), [provision('abort', agent), 21_000], [returned(3, null), 21_500]))).toBeNull();
    const processed = continued(lookedUp(), [continueWith(null), 21_000]);
    expect(digest(processed)).toBe('digest-1');
    expect(digest(continued(processed, [failed(3, 'why', agent), 22_000]))).toBeNull();
  });

  it.each(['power off', 'rebooting', 'soft power off', 'soft rebooting'] as const)('is forgotten by %s', (target) => {
    expect(digest(continued(lookedUp(), [power(target), 21_000]))).toBeNull();
  });

  it.each(['power off', 'rebooting', 'soft power off', 'soft rebooting'] as const)(
    'that lies where the machine boots from outlasts %s, and goes with the inspection',
    (target) => {
      const machine = {
        powerState: 'power on',
        changed: true,
        bootDevice: null,
        agentTokenDigest: 'digest-2',
      } as const;
      const handed = continued(inspecting({ inspect_interface: 'agent' }), [
        done(2, { returned: 'INSPECTWAIT', manageBoot: true, machine }, agent),
        11_000,
      ]);
      const marked = (past: Parameters<typeof nodeAfter>[0]) => [
        digest(past),
        nodeAfter(past).driverInternalInfo['agent_secret_token_pregenerated'],
      ];
      expect(marked(handed)).toEqual(['digest-2', true]);
      given(handed)
        .when(lookUp('digest-1'), 20_000)
        .then({ type: 'AgentLookedUp', data: { at: 20_000, attempt: 1, tokenDigest: null } });
      expect(marked(continued(handed, [power(target), 21_000]))).toEqual(['digest-2', true]);
      expect(marked(continued(handed, [elapse(1, 1, agent), DUE]))).toEqual([null, undefined]);
    },
  );

  it('stays when the machine is powered on', () => {
    expect(digest(continued(lookedUp(), [power('power on'), 21_000]))).toBe('digest-1');
  });
});

describe('a heartbeat', () => {
  it('while the node waits is noted once and keeps nothing of the agent', () => {
    given(lookedUp())
      .when(heartbeat(), 22_000)
      .then({ type: 'AgentHeartbeat', data: { at: 22_000, attempt: 1, agent: null } });
    const heard = continued(lookedUp(), [heartbeat(), 22_000]);
    expect(nodeAfter(heard).driverInternalInfo).not.toHaveProperty('agent_url');
    given(heard).when(heartbeat(), 23_000).thenNothing();
    given(heard)
      .when(heartbeat({ callbackUrl: 'https://192.0.2.10:9999' }), 23_000)
      .thenNothing();
  });

  it('does not extend the wait', () => {
    const heard = continued(lookedUp(), [heartbeat(), 22_000]);
    expect(nodeAfter(heard).deadlines).toEqual(nodeAfter(agentWaits()).deadlines);
  });

  it.each([
    ['another token', { tokenDigest: 'digest-2' }, /agent_token/],
    ['neither version nor status', { agentVersion: null }, /agent_version or agent_status/],
    ['an address without TLS', { callbackUrl: 'http://192.0.2.9:9999' }, /https/],
  ])('with %s is refused', (_what, rest, text) => {
    expect(given(lookedUp()).when(heartbeat(rest), 22_000).thenRefused('INVALID_PARAMETER').message).toMatch(text);
  });

  it('is refused while no token was issued, and for a node that is not there', () => {
    given(agentWaits()).when(heartbeat(), 22_000).thenRefused('INVALID_PARAMETER');
    given().when(heartbeat(), 1).thenRefused('NODE_NOT_FOUND');
  });

  it.each([
    ['an address without TLS where that is allowed', { callbackUrl: 'http://192.0.2.9:9999', requireTls: false }],
    ['no address', { callbackUrl: '' }],
    ['a status alone', { agentVersion: null, agentStatus: 'start' }],
  ])('is taken with %s', (_what, rest) => {
    given(lookedUp())
      .when(heartbeat(rest), 22_000)
      .then({ type: 'AgentHeartbeat', data: { at: 22_000, attempt: 1, agent: null } });
  });

  it('to a reserved node whose agent is not known is to be sent again, at once (CBK-06, CBK-19)', () => {
    const processing = continued(lookedUp(), [continueWith(null), 21_000]);
    given(processing).when(heartbeat(), 21_500).thenRefused('NODE_LOCKED');
  });

  it('with fast track keeps the address of the agent, which no heartbeat can change (CBK-09)', () => {
    const known = continued(manageable(fast), [lookUp('digest-1'), 9000], [heartbeat(), 9100]);
    expect(nodeAfter(known).driverInternalInfo).toMatchObject({
      agent_url: 'https://192.0.2.9:9999',
      agent_version: '9.14.0',
      agent_last_heartbeat: '1970-01-01T00:00:09.100000',
    });
    given(known).when(heartbeat(), 9200).thenNothing();
    given(known)
      .when(heartbeat({ callbackUrl: 'https://192.0.2.10:9999' }), 9200)
      .thenRefused('INVALID_PARAMETER');
    expect(nodeAfter(continued(known, [power('power off'), 9300])).driverInternalInfo).not.toHaveProperty('agent_url');
  });

  it('is noted again when the agent says something new of itself, and not when it repeats it', () => {
    const told = { agentStatus: 'start', agentStatusMessage: 'erasing', agentVerifyCa: '/certificates/a.crt' };
    const known = continued(manageable(fast), [lookUp('digest-1'), 9000], [heartbeat(told), 9100]);
    expect(nodeAfter(known).driverInternalInfo).toMatchObject({
      agent_status: 'start',
      agent_status_message: 'erasing',
      agent_verify_ca: '/certificates/a.crt',
    });
    given(known).when(heartbeat(told), 9200).thenNothing();
    given(known).when(heartbeat(), 9200).thenNothing();
    const ended = continued(known, [heartbeat({ agentStatus: 'end', agentStatusMessage: 'x'.repeat(9000) }), 9300]);
    expect(nodeAfter(ended).driverInternalInfo).toMatchObject({
      agent_status: 'end',
      agent_status_message: 'x'.repeat(4096),
      agent_verify_ca: '/certificates/a.crt',
      agent_last_heartbeat: '1970-01-01T00:00:09.300000',
    });
    const off = nodeAfter(continued(ended, [power('power off'), 9400])).driverInternalInfo;
    expect(Object.keys(off).filter((key) => key.startsWith('agent_'))).toEqual(['agent_last_heartbeat']);
  });

  it('is taken after the inspection from an agent that fast track lets run on, and from no other (CBK-19)', () => {
    const inspected = (fields: Partial<NodeFields>) =>
      continued(
        waiting({ inspect_interface: 'agent', ...fields }, agent),
        [lookUp('digest-1'), 20_000],
        [continueWith(), 21_000],
        [done(3, {}, agent), 22_000],
      );
    expect(nodeAfter(inspected(fast))).toMatchObject({ provisionState: 'manageable', agentTokenDigest: 'digest-1' });
    given(inspected(fast))
      .when(heartbeat(), 23_000)
      .then({ type: 'AgentHeartbeat', data: { at: 23_000, attempt: null, agent: expect.anything() } });
    const poweredOff = continued(inspected({}), [done(4, { powerState: 'power off' }, agent), 22_500]);
    expect(nodeAfter(poweredOff)).toMatchObject({ provisionState: 'manageable', agentTokenDigest: null });
    const again = continued(inspected(fast), [provision('inspect', agent), 24_000]);
    expect(nodeAfter(again).agentTokenDigest).toBeNull();
  });

  it('without fast track is dropped outside an inspection', () => {
    const known = continued(manageable(), [lookUp('digest-1', true), 9000]);
    given(known).when(heartbeat(), 9100).thenNothing();
  });
});

describe('the text of a timeout (TMO-03)', () => {
  const error = (past: Parameters<typeof nodeAfter>[0], inspect = agent) =>
    nodeAfter(continued(past, [elapse(1, 1, inspect), DUE])).lastError;

  it('names the last contact of the attempt', () => {
    const heard = continued(lookedUp(), [heartbeat(), 22_000]);
    expect(error(agentWaits())).toMatch(/^Timeout reached .*\(attempt 1\).* no contact at all: it may not have booted/);
    expect(error(lookedUp())).toMatch(/last contact .* a lookup at 1970-01-01T00:00:20\.000Z\.$/);
    expect(error(heard)).toMatch(/last contact .* a heartbeat at 1970-01-01T00:00:22\.000Z\.$/);
  });

  it('knows nothing of what an earlier attempt saw', () => {
    const failedOnce = continued(lookedUp(), [elapse(1, 1, agent), DUE]);
    const again = continued(
      failedOnce,
      [provision('inspect', agent), DUE + 1],
      [returned(4, 'INSPECTWAIT', {}, agent), DUE + 2],
      [elapse(2, 2, agent), DUE + 1_800_001],
    );
    expect(nodeAfter(again).lastError).toMatch(/no contact at all/);
  });

  it('does not claim silence of a ramdisk that reports to an inspector', () => {
    const { lastError } = nodeAfter(continued(waiting(), [elapse(1, 1), DUE]));
    expect(lastError).not.toMatch(/contact/);
    expect(lastError).toMatch(/ramdisk may not have booted, or not reach its inspector\.$/);
  });
});
