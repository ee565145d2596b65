import type { Command } from '@lib/contracts';
import {
  NODE,
  World,
  creation,
  documentOf,
  endings,
  eventTypes,
  maintain,
  manageable,
  patch,
  powerTo,
  provision,
  removal,
  replace,
  uuidOf,
  waiting,
} from '../../../../test/world';

const PORT = uuidOf(90);
const commandId = 'the-one-command';
const portCreation: Command = {
  type: 'CreateResource',
  kind: 'port',
  minor: 82,
  uuid: PORT,
  nodeUuid: NODE,
  fields: { address: '52:54:00:aa:00:01' },
};

describe('a command that is sent twice', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
  });
  afterEach(() => world.stop());

  const cases: readonly [string, () => Promise<unknown>, Command][] = [
    ['a creation', async () => undefined, creation()],
    ['a creation with secrets', async () => undefined, creation(NODE, { driver_info: { password: 'x' } })],
    ['a removal', () => manageable(world), removal()],
    ['a patch', () => manageable(world), patch([{ op: 'add', path: '/extra/k', value: 1 }])],
    [
      'a patch that cannot be applied twice',
      () => manageable(world, NODE, { extra: { k: 1 } }),
      patch([{ op: 'remove', path: '/extra/k' }]),
    ],
    [
      'a patch that brings the first secret',
      () => manageable(world),
      patch([replace('/driver_info', { password: 'y' })]),
    ],
    ['manage', () => world.do(creation()), provision('manage')],
    ['inspect', () => manageable(world), provision('inspect')],
    ['abort', () => waiting(world), provision('abort')],
    ['a power change', () => manageable(world), powerTo('power on')],
    ['a boot device', () => manageable(world), { type: 'SetBootDevice', uuid: NODE, device: 'pxe', persistent: false }],
    ['maintenance', () => manageable(world), maintain()],
    ['a port', () => manageable(world), portCreation],
    [
      'a removal of a port',
      () => manageable(world).then(() => world.do(portCreation)),
      { type: 'RemoveResource', kind: 'port', uuid: PORT, nodeUuid: NODE },
    ],
  ];

  it.each(cases)('has one effect and one answer after its outcome: %s', async (_name, prepare, command) => {
    await prepare();
    expect(await world.ask(command, { commandId })).toEqual({ ok: true, result: {} });
    const head = await world.memory.log.head();
    const asked = world.script.asked.length;
    const again = world.send(command, { commandId });
    await world.clock.advanceBy(10_000);
    expect(again.reply).toEqual({ ok: true, result: {} });
    expect(await world.memory.log.head()).toBe(head);
    const questions = ['validate', 'managed boot'];
    expect(world.script.asked.slice(asked).filter(({ word }) => !questions.includes(word))).toEqual([]);
  });

  it.each(cases)('has one effect and one answer when both are there at once: %s', async (_name, prepare, command) => {
    await prepare();
    const before = await world.memory.log.head();
    const both = [world.send(command, { commandId }), world.send(command, { commandId })];
    await world.clock.advanceBy(10_000);
    expect(both.map(({ reply }) => reply)).toEqual([
      { ok: true, result: {} },
      { ok: true, result: {} },
    ]);
    const events = await world.memory.log.readCommand(commandId);
    expect(events.length).toBeGreaterThan(0);
    const later = (await world.memory.log.readAll(before, 100)).filter((event) => event.meta.includes(commandId));
    expect(later).toHaveLength(events.length);
  });

  it('leaves no key behind that seals nothing', async () => {
    const command = creation(NODE, { driver_info: { password: 'x' } });
    await world.ask(command, { commandId });
    await world.ask(command, { commandId });
    expect(world.memory.store.keys.size).toBe(1);
    const added = patch([replace('/driver_info', { password: 'y' })], uuidOf(2));
    await manageable(world, uuidOf(2));
    world.send(added);
    world.send(added);
    await world.settle();
    expect(world.memory.store.keys.size).toBe(2);
  });

  it('creates nothing anew when the node was removed meanwhile', async () => {
    await world.ask(creation(), { commandId });
    await world.do(removal());
    expect(await world.ask(creation(), { commandId })).toEqual({ ok: true, result: {} });
    expect(await documentOf(world)).toBeNull();
  });

  it('is refused twice when it was refused, and does nothing', async () => {
    await manageable(world);
    const first = await world.ask(provision('abort'), { commandId });
    const head = await world.memory.log.head();
    expect(first).toMatchObject({ ok: false, code: 'INVALID_STATE' });
    expect(await world.ask(provision('abort'), { commandId })).toEqual(first);
    expect(await world.memory.log.head()).toBe(head);
  });

  const others: readonly [string, Command][] = [
    ['another verb', provision('abort')],
    ['another resource', provision('inspect', uuidOf(2))],
    ['a removal', removal()],
    ['a patch', patch([{ op: 'add', path: '/extra/k', value: 1 }])],
  ];

  it.each(others)(
    'EVS-07: whose id comes with other content is refused, and does nothing: %s',
    async (_name, other) => {
      await manageable(world, uuidOf(2));
      await manageable(world);
      expect(await world.ask(provision('inspect'), { commandId })).toEqual({ ok: true, result: {} });
      const head = await world.memory.log.head();
      expect(await world.ask(provision('inspect'), { commandId })).toEqual({ ok: true, result: {} });
      const refused = world.send(other, { commandId });
      await world.clock.advanceBy(10_000);
      expect(refused.reply).toMatchObject({ ok: false, code: 'COMMAND_ID_REUSED' });
      expect(await world.memory.log.head()).toBe(head);
    },
  );

  it('EVS-07: tells two secrets apart, and keeps neither in the log', async () => {
    const withSecret = (password: string) => creation(NODE, { driver_info: { password } });
    expect(await world.ask(withSecret('geheim'), { commandId })).toEqual({ ok: true, result: {} });
    expect(await world.ask(withSecret('other'), { commandId })).toMatchObject({ code: 'COMMAND_ID_REUSED' });
    expect(await world.ask(withSecret('geheim'), { commandId })).toEqual({ ok: true, result: {} });
    expect(JSON.stringify(await world.memory.log.readAll(0, 100))).not.toContain('geheim');
  });

  it('is taken for the same where the log of an older release says nothing of its content', async () => {
    await world.do(creation());
    const { log } = world.memory;
    const append = log.append.bind(log);
    Object.assign(log, {
      append: (one: Parameters<typeof append>[0]) => append({ ...one, meta: { ...one.meta, fingerprint: undefined } }),
    });
    expect(await world.ask(maintain(), { commandId })).toEqual({ ok: true, result: {} });
    Object.assign(log, { append });
    expect(await world.ask(maintain(), { commandId })).toEqual({ ok: true, result: {} });
  });

  it('is no other command: a second creation of the same node is refused', async () => {
    await world.do(creation());
    expect(await world.ask(creation())).toMatchObject({ ok: false, code: 'DUPLICATE_UUID' });
  });

  it.each([
    ['accepted', { ok: true, result: {} }],
    ['refused', { ok: false, code: 'PEER_FAILED' }],
  ] as const)('waits with the first for the outcome of its intent: %s', async (outcome, expected) => {
    await waiting(world);
    const peer = world.script.hold('abort');
    const first = world.send(provision('abort'), { commandId });
    await world.settle();
    const second = world.send(provision('abort'), { commandId });
    await world.clock.advanceBy(5000);
    expect([first.reply, second.reply]).toEqual([null, null]);
    if (outcome === 'accepted') peer.answer();
    else peer.refuse(new Error('busy'));
    await world.clock.advanceBy(1000);
    expect([first.reply, second.reply]).toEqual([expect.objectContaining(expected), expect.objectContaining(expected)]);
    expect(world.script.calls('abort')).toHaveLength(1);
    expect((await eventTypes(world)).filter((type) => type === 'InspectionAbortRequested')).toHaveLength(1);
    const third = world.send(provision('abort'), { commandId });
    await world.clock.advanceBy(1000);
    expect(third.reply).toMatchObject(expected);
    expect(world.script.calls('abort')).toHaveLength(1);
  });

  it('is answered by another conductor from the log when the first was killed after its append', async () => {
    await waiting(world);
    world.script.hold('abort');
    const [first] = [world.send(provision('abort'), { commandId })];
    await world.settle();
    world.script.obey('abort');
    const survivor = await world.conductor({ host: 'conductor-2' });
    const again = world.send(provision('abort'), { commandId, to: survivor });
    await world.clock.advanceBy(60_000);
    expect(first?.reply).not.toBeNull();
    expect(again.reply).toEqual(first?.reply);
    expect((await endings(world)).length).toBeLessThanOrEqual(1);
  });
});
