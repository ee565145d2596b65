import type { RecordedEvent } from '@lib/ports';
import {
  NODE,
  World,
  documentOf,
  endings,
  eventData,
  eventTypes,
  maintain,
  provision,
  removal,
  waiting,
} from '../../../../test/world';
import type { Sent, WorldConductor } from '../../../../test/world';

const WAIT_MS = 1_800_000;
const accepted = { ok: true, result: {} };

describe('an abort of an inspection', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
    await world.scheduler();
  });
  afterEach(() => world.stop());

  const openDeadlines = () => world.memory.readModel.deadlines(Number.MAX_SAFE_INTEGER, 10);

  it('is accepted only when the ending is in the log and can be read', async () => {
    await waiting(world);
    const peer = world.script.hold('abort');
    const sent = world.send(provision('abort'));
    const readAtTheEnding: Promise<[Record<string, unknown> | null, string[]]>[] = [];
    const watch = world.memory.log.onCommit((events: readonly RecordedEvent[]) => {
      if (!events.some(({ type }) => type === 'InspectionAborted')) return;
      expect(sent.reply).toBeNull();
      readAtTheEnding.push(Promise.all([documentOf(world), endings(world)]));
    });
    await world.clock.advanceBy(10_000);
    expect(sent.reply).toBeNull();
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait', reservation: 'conductor-1' });
    peer.answer();
    await world.settle();
    watch();
    expect(sent.reply).toEqual(accepted);
    const [[document, ended] = [null, []]] = await Promise.all(readAtTheEnding);
    expect(document).toMatchObject({ provision_state: 'inspect failed', reservation: null });
    expect(document?.['last_error']).toContain('aborted');
    expect(ended).toEqual(['InspectionAborted']);
    expect(await openDeadlines()).toEqual([]);
  });

  it('that the peer refuses leaves everything as it was, with the reason [2.11]', async () => {
    await waiting(world);
    const [before] = await openDeadlines();
    const peer = world.script.hold('abort');
    const sent = world.send(provision('abort'));
    await world.settle();
    expect((await openDeadlines()).map(({ n }) => n)).not.toContain(before?.n);
    peer.refuse(new Error('I am busy'));
    await world.settle();
    expect(sent.reply).toEqual({ ok: false, code: 'PEER_FAILED', message: 'Failed to abort inspection: I am busy' });
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect wait',
      target_provision_state: 'manageable',
      reservation: null,
      last_error: 'Failed to abort inspection: I am busy',
    });
    expect(await openDeadlines()).toEqual([before]);
    await world.clock.advanceTo((before?.due ?? 0) - 1);
    expect(await endings(world)).toEqual([]);
    await world.clock.advanceBy(1);
    expect(await endings(world)).toEqual(['InspectionTimedOut']);
  });

  it('that finds no answer ends with the limit of its effect [2.11]', async () => {
    await waiting(world);
    world.script.hold('abort');
    const sent = world.send(provision('abort'));
    await world.clock.advanceBy(29_999);
    expect(sent.reply).toBeNull();
    await world.clock.advanceBy(1);
    expect(sent.reply).toMatchObject({ ok: false, code: 'PEER_FAILED' });
    expect((sent.reply as { message: string }).message).toContain('no answer within 30 seconds');
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait', reservation: null });
  });

  it('whose worker is gone is given up by its own deadline, and ends nothing when the worker comes back', async () => {
    await waiting(world);
    const peer = world.script.hold('abort');
    const sent = world.send(provision('abort'));
    await world.settle();
    await conductor.kill();
    await world.conductor({ host: 'conductor-2', workersMax: 0 });
    await world.clock.advanceBy(31_999);
    expect(sent.reply).toBeNull();
    await world.clock.advanceBy(501);
    expect(sent.reply).toMatchObject({ ok: false, code: 'PEER_FAILED' });
    peer.answer();
    await world.clock.advanceBy(30_000);
    expect(await endings(world)).toEqual([]);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait', reservation: null });
  });

  it('that the interface does not know is refused before anything is stored', async () => {
    await waiting(world, NODE, { inspect_interface: 'legacy' });
    const head = await world.memory.log.head();
    const reply = await world.ask(provision('abort'));
    expect(reply).toMatchObject({ ok: false, code: 'UNSUPPORTED_EXTENSION' });
    expect((reply as { message: string }).message).toContain('legacy');
    expect(await world.memory.log.head()).toBe(head);
  });

  it('waits behind a start that is still open, and answers for the failed start', async () => {
    const start = world.script.hold('start');
    await waiting(world);
    const sent = world.send(provision('abort'));
    await world.settle();
    expect(world.script.calls('abort')).toEqual([]);
    start.refuse(new Error('no room'));
    await world.settle();
    expect(sent.reply).toMatchObject({ ok: false, code: 'INVALID_STATE' });
    expect(world.script.calls('abort')).toEqual([]);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: 'Failed to start inspection: no room',
    });
    expect(await endings(world)).toEqual(['InspectionFailed']);
  });

  it('that failed to be started meanwhile does not answer for a boot device that was being set', async () => {
    const start = world.script.hold('start');
    await waiting(world);
    const sent = world.send({ type: 'SetBootDevice', uuid: NODE, device: 'pxe', persistent: false });
    await world.settle();
    start.refuse(new Error('no room'));
    await world.settle();
    expect(await endings(world)).toEqual(['InspectionFailed']);
    expect(sent.reply).toEqual(accepted);
  });

  it('answers 404 when the node is deleted in maintenance meanwhile', async () => {
    await waiting(world);
    const peer = world.script.hold('abort');
    const sent = world.send(provision('abort'));
    await world.settle();
    await world.do(maintain());
    await world.do(removal());
    expect(sent.reply).toMatchObject({ ok: false, code: 'NODE_NOT_FOUND' });
    peer.answer();
    await world.clock.advanceBy(60_000);
    expect(await endings(world)).toEqual(['InspectionRemoved']);
    expect(await openDeadlines()).toEqual([]);
  });
});

/** What may happen beside an abort, at each of four moments. */
type Moment = 'before the intent' | 'while the intent is open' | 'when the peer has accepted' | 'after the ending';
const moments: readonly Moment[] = [
  'before the intent',
  'while the intent is open',
  'when the peer has accepted',
  'after the ending',
];

describe.each(moments)('an abort against something else %s', (moment) => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
    await world.scheduler();
    await waiting(world);
  });
  afterEach(() => world.stop());

  /** Fires `other` at the moment; in the end the peer has accepted the abort if it was asked. */
  async function abortAgainst(other: () => unknown): Promise<Sent> {
    const peer = world.script.hold('abort');
    if (moment === 'before the intent') other();
    const sent = world.send(provision('abort'));
    if (moment !== 'before the intent') await world.settle();
    if (moment === 'while the intent is open') {
      other();
      await world.settle();
    }
    if (moment === 'when the peer has accepted') world.memory.store.fault = 'the disk is away';
    peer.answer();
    await world.settle();
    if (moment === 'when the peer has accepted') {
      world.memory.store.fault = null;
      other();
    }
    await world.clock.advanceBy(2000);
    peer.answer();
    await world.clock.advanceBy(2000);
    if (moment === 'after the ending') other();
    await world.clock.advanceBy(60_000);
    expect(sent.reply).not.toBeNull();
    return sent;
  }

  /** Exactly one ending, and an accepted abort is that ending. */
  async function oneEnding(sent: Sent): Promise<string> {
    const ended = await endings(world);
    expect(ended).toHaveLength(1);
    expect(sent.reply?.ok).toBe(ended[0] === 'InspectionAborted');
    return ended[0] ?? '';
  }

  it('a finished introspection', async () => {
    const startedAt = world.clock.now() + 1;
    world.script.play('report', () => ({ state: 'ended', startedAt, error: null, data: { inventory: { a: 1 } } }));
    const { sync } = await world.conductor({ host: 'conductor-2' });
    const sent = await abortAgainst(() => void sync.run());
    const ended = await oneEnding(sent);
    if (moment !== 'before the intent') expect(ended).toBe('InspectionAborted');
  });

  it('its timeout', async () => {
    await world.clock.advanceTo((await eventData(world, 'InspectionStarted'))[0]?.['at'] as number);
    const sent = await abortAgainst(() => world.clock.jumpTo(world.clock.now() + WAIT_MS));
    const ended = await oneEnding(sent);
    expect(ended).toMatch(
      moment === 'before the intent' ? /InspectionAborted|InspectionTimedOut/ : /InspectionAborted/,
    );
  });

  it('a deletion in maintenance', async () => {
    await world.do(maintain());
    let removed: Sent | null = null;
    const sent = await abortAgainst(() => {
      removed = world.send(removal());
    });
    expect((removed as Sent | null)?.reply).toEqual(accepted);
    const ended = await oneEnding(sent);
    expect(ended).toBe(moment === 'after the ending' ? 'InspectionAborted' : ended);
    expect(await documentOf(world)).toBeNull();
  });

  it('a second abort', async () => {
    let second: Sent | null = null;
    const sent = await abortAgainst(() => {
      second = world.send(provision('abort'));
    });
    const other = (second as Sent | null)?.reply;
    expect([sent.reply?.ok, other?.ok].filter(Boolean)).toHaveLength(1);
    expect(await endings(world)).toEqual(['InspectionAborted']);
    expect((await eventTypes(world)).filter((type) => type === 'InspectionAborted')).toHaveLength(1);
  });

  it('a death of the conductor', async () => {
    const sent = await abortAgainst(() => {
      world.script.obey('abort');
      void conductor.kill().then(() => world.conductor({ host: 'conductor-2' }));
    });
    expect(await endings(world)).toEqual(['InspectionAborted']);
    // Its handler lives on here, as the api's second sending would find the outcome; only its work is lost, and tried again.
    expect(sent.reply).toEqual(accepted);
  });
});
