import type { RecordedEvent } from '@lib/ports';
import { byWords, inWords, shownEvent } from './index';

const recorded = (version: number, type: string, data: object, meta: object = {}): RecordedEvent => ({
  position: version,
  stream: 'node/u',
  version,
  type,
  schema: 1,
  data: JSON.stringify({ at: 1000, ...data }),
  meta: JSON.stringify({
    commandId: 'c',
    requestId: null,
    actor: null,
    source: 'conductor/h',
    causation: null,
    ...meta,
  }),
  recordedAt: 1000,
  prevHash: '',
  hash: '',
});
const shown = (...args: Parameters<typeof recorded>) => shownEvent(recorded(...args));

describe('an event of the log, shown', () => {
  it('hides what is sealed and what looks like a secret, at any depth', () => {
    const sealed = { sealed: 'k', iv: 'i', tag: 't', data: 'd' };
    const changed = {
      driver_info: { redfish_password: sealed, nested: [{ api_token: 'plain' }], redfish_address: 'https://h' },
    };
    expect(shown(2, 'NodeUpdated', { changed }).data['changed']).toEqual({
      driver_info: { redfish_password: '******', nested: [{ api_token: '******' }], redfish_address: 'https://h' },
    });
  });

  it('has its time as the API writes it', () => {
    expect(shown(1, 'NodeRemoved', {}).recorded_at).toBe('1970-01-01T00:00:01.000000+00:00');
  });
});

describe('events in words', () => {
  const power = {
    n: 3,
    attempt: 1,
    task: { kind: 'power', target: 'rebooting', timeoutSeconds: null, cleanUp: false },
  };

  it('name the effect whose outcome one is', () => {
    const told = inWords([
      shown(1, 'PowerChangeRequested', { effect: power, takesReservation: false, host: 'h' }),
      shown(2, 'PowerChangeFailed', { effect: 3, error: 'no answer' }),
    ]);
    expect(told.map(({ what, details }) => [what, ...details])).toEqual([
      ['reboot asked for'],
      ['reboot failed', 'no answer'],
    ]);
  });

  it('tell a timeout with its reason and what follows', () => {
    const off = { ...power, task: { ...power.task, target: 'power off', cleanUp: true } };
    const [told] = inWords([
      shown(1, 'InspectionTimedOut', {
        attempt: 2,
        deadline: { n: 1, due: 900 },
        error: 'Timeout reached',
        cleanUp: [off],
      }),
    ]);
    expect(told).toEqual({
      what: 'inspection timed out',
      details: ['attempt 2', 'Timeout reached', 'then power off'],
      known: true,
    });
  });

  it('say that a type is of another release, and show it all the same', () => {
    const [told] = inWords([shown(1, 'NodeTeleported', { where: 'mars' })]);
    expect(told).toEqual({
      what: 'node teleported',
      details: ['unknown to this release', '{"at":1000,"where":"mars"}'],
      known: false,
    });
  });
});

describe('who brought it about', () => {
  it('is the user and the request, else the effect, else the service', () => {
    const by = (meta: object) => byWords(shown(1, 'NodeRemoved', {}, meta));
    expect([
      by({ actor: 'admin', requestId: 'req-12345678-1234-4000-8000-000000000000' }),
      by({ causation: 'effect 4 claim 2' }),
      by({}),
    ]).toEqual(['admin req-12345678', 'effect 4', 'conductor/h']);
  });
});
