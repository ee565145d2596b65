import {
  NODE,
  World,
  documentOf,
  eventTypes,
  maintain,
  manageable,
  patch,
  powerTo,
  provision,
  removal,
  replace,
  unmaintain,
  waiting,
} from '../../../../test/world';

const ok = { ok: true, result: {} };

describe('a node that is reserved', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
  });
  afterEach(() => world.stop());

  /** A synchronous inspection that takes until it is answered. */
  async function inspecting() {
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    return work;
  }

  it.each([
    ['a patch', patch([replace('/extra', { k: 1 })], NODE, { minor: 38 })],
    ['a power change', powerTo('power on')],
    ['a boot device', { type: 'SetBootDevice', uuid: NODE, device: 'pxe', persistent: false } as const],
    ['a change of traits', { type: 'ChangeTraits', of: 'node', uuid: NODE, change: { add: 'CUSTOM_A' } } as const],
  ])('makes %s wait, at most attempts x interval, and names node and host', async (_name, command) => {
    await manageable(world, NODE, { inspect_interface: 'fake' });
    await inspecting();
    const sent = world.send(command);
    await world.clock.advanceBy(2999);
    expect(sent.reply).toBeNull();
    await world.clock.advanceBy(1);
    expect(sent.reply).toMatchObject({ ok: false, code: 'NODE_LOCKED' });
    const { message } = sent.reply as { message: string };
    expect(message).toContain(NODE);
    expect(message).toContain('conductor-1');
  });

  it('lets what waits go on at the release, without polling', async () => {
    await manageable(world, NODE, { inspect_interface: 'fake' });
    const work = await inspecting();
    const sent = world.send(patch([replace('/extra', { k: 1 })], NODE, { minor: 38 }));
    await world.clock.advanceBy(1234);
    work.answer({ returned: 'MANAGEABLE' });
    await world.settle();
    expect(sent.reply).toEqual(ok);
    expect(await documentOf(world)).toMatchObject({ extra: { k: 1 }, provision_state: 'manageable' });
  });

  it('refuses a verb that its state does not know at once: locked, not wrong state', async () => {
    await manageable(world, NODE, { inspect_interface: 'fake' });
    await inspecting();
    expect(await world.ask(provision('inspect'))).toMatchObject({ ok: false, code: 'NODE_LOCKED' });
    expect(await world.ask(provision('abort'))).toMatchObject({ ok: false, code: 'NODE_LOCKED' });
  });

  it('goes into and out of maintenance, and is deleted there, without waiting', async () => {
    await manageable(world, NODE, { inspect_interface: 'fake' });
    const work = await inspecting();
    const removing = world.send(removal());
    await world.do(maintain());
    await world.do(unmaintain());
    await world.do(maintain());
    expect(await world.ask(removal())).toEqual(ok);
    work.answer({ returned: 'MANAGEABLE' });
    await world.clock.advanceBy(5000);
    expect(await documentOf(world)).toBeNull();
    expect((await eventTypes(world)).slice(-2)).toEqual(['InspectionRemoved', 'NodeRemoved']);
    expect(removing.reply).toMatchObject({ code: 'NODE_NOT_FOUND' });
  });

  it('is not reserved by a power change in inspect wait [1.2]', async () => {
    await waiting(world);
    world.script.hold('power');
    await world.do(powerTo('power on'));
    expect(await documentOf(world)).toMatchObject({ reservation: null, target_power_state: 'power on' });
    await world.do(patch([replace('/extra', { k: 1 })]));
    await world.do(powerTo('power off'));
    expect(await documentOf(world)).toMatchObject({ reservation: null, target_power_state: 'power off' });
  });

  it('is reserved by a power change elsewhere, until its outcome', async () => {
    await manageable(world);
    const power = world.script.hold('power');
    await world.do(powerTo('power on'));
    expect(await documentOf(world)).toMatchObject({ reservation: 'conductor-1' });
    power.answer({ powerState: 'power on', changed: true });
    await world.settle();
    expect(await documentOf(world)).toMatchObject({
      reservation: null,
      power_state: 'power on',
      target_power_state: null,
    });
  });

  it('lets a second abort wait for the first, which then finds nothing to end', async () => {
    await waiting(world);
    const peer = world.script.hold('abort');
    const first = world.send(provision('abort'));
    await world.settle();
    const second = world.send(provision('abort'));
    await world.clock.advanceBy(1000);
    expect([first.reply, second.reply]).toEqual([null, null]);
    peer.answer();
    await world.settle();
    expect(first.reply).toEqual(ok);
    expect(second.reply).toMatchObject({ ok: false, code: 'INVALID_STATE' });
  });

  it('lets a second abort that waited try for itself when the peer refused the first', async () => {
    await waiting(world);
    const peer = world.script.hold('abort');
    const first = world.send(provision('abort'));
    await world.settle();
    const second = world.send(provision('abort'));
    await world.settle();
    peer.refuse(new Error('not now'));
    await world.settle();
    expect(first.reply).toMatchObject({ ok: false, code: 'PEER_FAILED' });
    expect(second.reply).toBeNull();
    peer.answer();
    await world.settle();
    expect(second.reply).toEqual(ok);
    expect(world.script.calls('abort')).toHaveLength(2);
  });

  it('gives a second abort up after the time for a release while the peer says nothing', async () => {
    await waiting(world);
    world.script.hold('abort');
    world.send(provision('abort'));
    await world.settle();
    const second = world.send(provision('abort'));
    await world.clock.advanceBy(3000);
    expect(second.reply).toMatchObject({ ok: false, code: 'NODE_LOCKED' });
  });

  it('hears of a release by another conductor within half a second', async () => {
    await waiting(world);
    const peer = world.script.hold('abort');
    world.send(provision('abort'));
    await world.settle();
    const other = await world.conductor({ host: 'conductor-2' });
    const sent = world.send(patch([replace('/extra', { k: 1 })]), { to: other });
    await world.clock.advanceBy(700);
    peer.answer();
    await world.clock.advanceBy(500);
    expect(sent.reply).toEqual(ok);
  });

  it('answers "nothing happened" when too many wait for one node', async () => {
    await world.conductor({ host: 'small', mailboxDepthMax: 2 });
    await manageable(world);
    const sent = [1, 2, 3].map(() => world.send(maintain()));
    await world.settle();
    expect(sent.map(({ reply }) => reply)).toEqual([ok, ok, expect.objectContaining({ code: 'NO_FREE_WORKER' })]);
    expect(await world.ask(maintain())).toEqual(ok);
  });
});
