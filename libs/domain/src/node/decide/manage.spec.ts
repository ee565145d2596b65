import { specify } from '@lib/testing/specify';
import { evolve } from '..';
import type { Node } from '..';
import type { Act } from '../../management';
import { provisionStates, unstable } from '../../states';
import {
  HOST,
  UUID,
  aNode,
  contextAt,
  done,
  elapse,
  failed,
  interrupt,
  manage,
  manageable,
  nodeDecider,
  policy,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const inState = (state: Partial<Node>, fields = {}) =>
  specify(
    { ...nodeDecider, initial: { counters: { attempt: 0, effect: 0, deadline: 0 }, node: aNode(state, fields) } },
    contextAt,
  )();

const console: Act = { act: 'set console', enabled: true };
const nmi: Act = { act: 'inject nmi' };
const cdrom: Act = { act: 'attach media', deviceType: 'cdrom', imageUrl: 'http://a/1.iso', downloadSource: 'http' };

const asked = (act: Act, rest: { takesReservation?: boolean; waits?: boolean } = {}) => ({
  type: 'ManagementRequested' as const,
  data: {
    at: 9000,
    effect: { n: 2, attempt: null, task: { kind: 'manage' as const, act } },
    takesReservation: rest.takesReservation ?? true,
    giveUp: rest.waits ? { n: 1, due: 9000 + policy.peerLimitMs } : null,
    host: HOST,
  },
});
const after = (node: Node, ...events: Parameters<typeof evolve>[1][]) =>
  events.reduce(evolve, { counters: { attempt: 0, effect: 1, deadline: 0 }, node }).node;

describe('a request to a machine', () => {
  it('that nobody waits for takes the node until it is done', () => {
    given(manageable()).when(manage(console), 9000).then(asked(console));
    const held = after(aNode(), asked(console));
    expect(held).toMatchObject({ reservation: { effect: 2 }, intent: null, deadlines: [] });
  });

  it('that is waited for has a time to give up', () => {
    given(manageable())
      .when(manage(nmi), 9000)
      .then(asked(nmi, { waits: true }));
    const held = after(aNode(), asked(nmi, { waits: true }));
    expect(held).toMatchObject({ reservation: { effect: 2 }, intent: { kind: 'manage', effect: 2 } });
  });

  it('that may go on beside other work takes nothing, and does not wait for a release', () => {
    const beside = manage(nmi, { waits: false, exclusive: false });
    inState({ reservation: { host: 'b', effect: 1 } })
      .when(beside, 9000)
      .then({
        ...asked(nmi, { takesReservation: false }),
        data: {
          ...asked(nmi, { takesReservation: false }).data,
          effect: { n: 1, attempt: null, task: { kind: 'manage', act: nmi } },
        },
      });
    inState({ reservation: { host: 'b', effect: 1 } })
      .when(manage(nmi), 9000)
      .thenRefused('NODE_LOCKED', true);
  });

  it('is refused where the interface does not offer it, or not like this', () => {
    given(manageable())
      .when(manage(nmi, { unsupported: 'no' }), 9000)
      .thenRefused('UNSUPPORTED_EXTENSION');
    given(manageable())
      .when(manage(nmi, { problem: 'no' }), 9000)
      .thenRefused('INVALID_PARAMETER');
  });

  it.each(provisionStates)(
    'for another boot mode is refused in "%s" exactly when the node may move by itself',
    (state) => {
      for (const act of [
        { act: 'set boot mode', mode: 'uefi' },
        { act: 'set secure boot', enabled: true },
      ] as const) {
        const when = inState({ provisionState: state }).when(manage(act), 9000);
        if (unstable.has(state)) when.thenRefused('STATE_CONFLICT');
        else
          when.then({
            ...asked(act),
            data: { ...asked(act).data, effect: { n: 1, attempt: null, task: { kind: 'manage', act } } },
          });
      }
    },
  );

  it('for media is refused while the power has failed', () => {
    const fields = { maintenance: true, fault: 'power failure' };
    inState({}, fields).when(manage(cdrom), 9000).thenRefused('UNAVAILABLE');
    inState({}, fields)
      .when(manage(nmi), 9000)
      .then({
        ...asked(nmi, { waits: true }),
        data: {
          ...asked(nmi, { waits: true }).data,
          effect: { n: 1, attempt: null, task: { kind: 'manage', act: nmi } },
        },
      });
  });
});

describe('what a machine was asked for', () => {
  const changes: readonly (readonly [Act, object])[] = [
    [console, { consoleEnabled: true }],
    [{ act: 'set boot mode', mode: 'bios' }, { bootMode: 'bios' }],
    [{ act: 'set secure boot', enabled: false }, { secureBoot: false }],
    [
      { act: 'set indicator', component: 'chassis', indicator: 'led', state: 'on' },
      { indicators: { 'led@chassis': 'on' } },
    ],
    [cdrom, { media: [{ deviceType: 'cdrom', imageUrl: 'http://a/1.iso' }] }],
    [{ act: 'detach media', deviceTypes: [] }, { media: [] }],
    [nmi, {}],
  ];
  it.each(changes)('is known of it when it is done: %j', (act, changed) => {
    given(manageable(), asked(act))
      .when(done(2), 9500)
      .then({ type: 'ManagementDone', data: { at: 9500, effect: 2, changed } });
  });

  it('keeps the answer of a vendor method', () => {
    const act: Act = { act: 'call vendor method', method: 'm', httpMethod: 'POST', args: {} };
    given(manageable(), asked(act))
      .when(done(2, { answer: [1] }), 9500)
      .then({ type: 'ManagementDone', data: { at: 9500, effect: 2, changed: {}, answer: [1] } });
  });

  it('stands on the node as its error when it failed and nobody waits', () => {
    const error = 'The start of the console failed: dead';
    const event = { type: 'ManagementFailed' as const, data: { at: 9500, effect: 2, error } };
    given(manageable(), asked(console)).when(failed(2, 'dead'), 9500).then(event);
    expect(after(aNode(), asked(console), event)).toMatchObject({ lastError: error, reservation: null });
    // The reason of an inspection's end is only ever extended.
    expect(
      after(aNode({ provisionState: 'inspect failed', lastError: 'Timeout.' }), asked(console), event)?.lastError,
    ).toBe(`Timeout. Also: ${error}`);
    expect(after(aNode(), asked(console, { waits: true }), event)).toMatchObject({
      lastError: null,
      reservation: null,
      intent: null,
      deadlines: [],
    });
  });

  it('is given up when the machine does not answer in time', () => {
    const due = 9000 + policy.peerLimitMs;
    const error = 'The machine did not answer in time.';
    given(manageable(), asked(nmi, { waits: true }))
      .when(elapse(1, 0), due)
      .then({ type: 'ManagementFailed', data: { at: due, effect: 2, error } });
  });

  it.each([console, nmi])('is over when the conductor was started again and does not resume: %j', (act) => {
    const error = `The ${act === console ? 'start of the console' : 'injection of an NMI'} can't be resumed by conductor ${HOST} after a restart: its work was interrupted.`;
    given(manageable(), asked(act, { waits: act === nmi }))
      .when(interrupt('all'), 9500)
      .then({ type: 'ManagementFailed', data: { at: 9500, effect: 2, error } });
    given(manageable(), asked(act)).when(interrupt('none'), 9500).thenNothing();
  });
});

describe('virtual media', () => {
  const media = [
    { deviceType: 'cdrom', imageUrl: 'http://a/1.iso' },
    { deviceType: 'floppy', imageUrl: 'http://a/1.img' },
  ] as const;
  const node = aNode({ managed: { ...aNode().managed, media } });
  const outcome = (act: Act) => {
    const asking = after(node, asked(act));
    const events = nodeDecider.decide(
      done(2),
      { counters: { attempt: 0, effect: 2, deadline: 0 }, node: asking },
      contextAt(9500),
    );
    return after(asking as Node, ...events)?.managed.media.map(
      ({ deviceType, imageUrl }) => `${deviceType} ${String(imageUrl)}`,
    );
  };

  it('of one type replaces what was there', () => {
    expect(outcome({ ...cdrom, imageUrl: 'http://a/2.iso' })).toEqual([
      'floppy http://a/1.img',
      'cdrom http://a/2.iso',
    ]);
  });

  it('goes by its type, or all of it', () => {
    expect(outcome({ act: 'detach media', deviceTypes: ['floppy'] })).toEqual(['cdrom http://a/1.iso']);
    expect(outcome({ act: 'detach media', deviceTypes: [] })).toEqual([]);
  });
});

describe('a wanted RAID configuration', () => {
  const config = { logical_disks: [{ raid_level: '1', size_gb: 'MAX' }] };
  it('is noted, once', () => {
    const noted = {
      type: 'ManagementDone' as const,
      data: { at: 9000, effect: null, changed: { targetRaidConfig: config } },
    };
    given(manageable()).when({ type: 'SetTargetRaid', config }, 9000).then(noted);
    given(manageable(), noted).when({ type: 'SetTargetRaid', config }, 9000).thenNothing();
    given(manageable(), noted)
      .when({ type: 'SetTargetRaid', config: {} }, 9000)
      .then({ type: 'ManagementDone', data: { at: 9000, effect: null, changed: { targetRaidConfig: {} } } });
  });

  it('waits for the node', () => {
    inState({ uuid: UUID, reservation: { host: 'b', effect: 1 } })
      .when({ type: 'SetTargetRaid', config }, 9000)
      .thenRefused('NODE_LOCKED', true);
  });
});
