import {
  NODE,
  World,
  documentOf,
  manageable,
  patch,
  provision,
  replace,
  uuidOf,
  waiting,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const ok = { ok: true, result: {} };

describe('two conductors of one log', () => {
  let world: World;
  let one: WorldConductor;
  let two: WorldConductor;
  beforeEach(async () => {
    world = new World();
    one = await world.conductor({ host: 'conductor-1' });
    two = await world.conductor({ host: 'conductor-2' });
  });
  afterEach(() => world.stop());

  it('do not refuse by what they remember: a node that the other moved on', async () => {
    await manageable(world);
    expect(await world.ask(provision('abort'), { to: one })).toMatchObject({ code: 'INVALID_STATE' });
    await world.ask(provision('inspect'), { to: two });
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
    expect(await world.ask(provision('abort'), { to: one })).toEqual(ok);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect failed' });
  });

  it('do not take a deadline for gone that the other has set', async () => {
    await manageable(world);
    await one.commits.streams.load(NODE, false);
    await world.ask(provision('inspect'), { to: two });
    await two.stop();
    await world.scheduler();
    await world.clock.advanceBy(1_800_000);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect failed' });
  });

  it('both change one node at once, and lose nothing', async () => {
    await waiting(world);
    const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
    const sent = keys.map((key, index) =>
      world.send(patch([{ op: 'add', path: `/extra/${key}`, value: index }]), { to: index % 2 === 0 ? one : two }),
    );
    await world.clock.advanceBy(1000);
    expect(sent.map(({ reply }) => reply)).toEqual(keys.map(() => ok));
    expect(Object.keys((await documentOf(world))?.['extra'] as object).sort()).toEqual([...keys].sort());
  });

  it('take one name once', async () => {
    await manageable(world, uuidOf(1));
    await manageable(world, uuidOf(2));
    const sent = [
      world.send(patch([replace('/name', 'rack-1')], uuidOf(1)), { to: one }),
      world.send(patch([replace('/name', 'rack-1')], uuidOf(2)), { to: two }),
    ];
    await world.settle();
    expect(sent.map(({ reply }) => reply?.ok).sort()).toEqual([false, true]);
    expect(sent.find(({ reply }) => !reply?.ok)?.reply).toMatchObject({ code: 'DUPLICATE_NAME' });
  });
});

describe('a commit', () => {
  it('gives up, with nothing done, when it always loses', async () => {
    const world = new World();
    const { commits } = await world.conductor();
    await manageable(world);
    const { log } = world.memory;
    const append = log.append.bind(log);
    Object.assign(log, {
      append: async () => ({ ok: false, conflict: { kind: 'version', stream: `node/${NODE}`, actual: 99 } }),
    });
    expect(await world.ask(patch([replace('/extra', { k: 1 })]))).toMatchObject({ ok: false, code: 'UNAVAILABLE' });
    Object.assign(log, { append });
    expect(await world.ask(patch([replace('/extra', { k: 1 })]))).toEqual(ok);
    expect((await commits.streams.load(NODE, false)).stream.node?.fields.extra).toEqual({ k: 1 });
    await world.stop();
  });

  it('says that nothing happened when the log can not be written', async () => {
    const world = new World();
    await world.conductor();
    await manageable(world);
    world.memory.store.fault = 'disk full';
    const reply = await world.ask(patch([replace('/extra', { k: 1 })]));
    expect(reply).toMatchObject({ ok: false, code: 'UNAVAILABLE' });
    expect((reply as { message: string }).message).toContain('nothing happened');
    world.memory.store.fault = null;
    expect(await documentOf(world)).toMatchObject({ extra: {} });
    await world.stop();
  });

  it('answers a bug with its stack in the log and none on the wire', async () => {
    const world = new World();
    await world.conductor();
    await manageable(world);
    world.script.play('validate', () => {
      throw new TypeError('a bug of ours');
    });
    expect(await world.ask(provision('inspect'))).toEqual({ ok: false, code: 'INTERNAL', message: 'a bug of ours' });
    const [record] = world.records.filter(({ level }) => level === 'error');
    expect(record?.fields).toMatchObject({ node: NODE, command: 'Provision', requestId: 'req-1' });
    expect(String(record?.fields['stack'])).toContain('TypeError');
    await world.stop();
  });
});
