import type { Command } from '@lib/contracts';
import type { Act, MachineQuestion } from '@lib/domain';
import { isSealed } from '@lib/domain';
import type { WorldConductor } from '../../../../test/world';
import { NODE, World, creation, documentOf, eventData, eventTypes, manageable, streamOf } from '../../../../test/world';

const manage = (act: Act): Command => ({ type: 'Manage', uuid: NODE, act });
const ask = (question: MachineQuestion): Command => ({ type: 'AskMachine', uuid: NODE, question });
const raid = (config: Readonly<Record<string, unknown>>): Command => ({ type: 'SetTargetRaid', uuid: NODE, config });
const call = (method: string, args: unknown = {}, httpMethod = 'POST'): Command =>
  manage({ act: 'call vendor method', method, httpMethod, args });

const nmi = manage({ act: 'inject nmi' });
const consoleOn = manage({ act: 'set console', enabled: true });
const URL_WITH_PASSWORD = 'https://somebody:tr0ub4dor@images.invalid/a.iso';
const cdrom = manage({
  act: 'attach media',
  deviceType: 'cdrom',
  imageUrl: URL_WITH_PASSWORD,
  downloadSource: 'local',
});

describe('a request to a machine', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
    await world.scheduler();
  });
  afterEach(() => world.stop());

  it('that nobody waits for is accepted before the machine has done it', async () => {
    await manageable(world);
    const machine = world.script.hold('act');
    expect(await world.ask(consoleOn)).toEqual({ ok: true, result: {} });
    expect(await documentOf(world)).toMatchObject({ console_enabled: false, reservation: 'conductor-1' });
    machine.answer();
    await world.settle();
    expect(await documentOf(world)).toMatchObject({ console_enabled: true, reservation: null, last_error: null });
    expect(world.script.asked.at(-1)).toMatchObject({ word: 'act', wanted: { act: 'set console', enabled: true } });
  });

  it('that nobody waits for tells of its failure on the node', async () => {
    await manageable(world);
    world.script.refuse('act', new Error('the cable is out'));
    expect(await world.ask(consoleOn)).toMatchObject({ ok: true });
    await world.settle();
    expect(await documentOf(world)).toMatchObject({
      console_enabled: false,
      last_error: 'The start of the console failed: the cable is out',
    });
  });

  it('that is waited for is answered when the machine has spoken', async () => {
    await manageable(world);
    const machine = world.script.hold('act');
    const sent = world.send(nmi);
    await world.settle();
    expect(sent.reply).toBeNull();
    machine.answer();
    await world.settle();
    expect(sent.reply).toEqual({ ok: true, result: { answer: null } });
    expect((await eventTypes(world)).slice(-2)).toEqual(['ManagementRequested', 'ManagementDone']);
  });

  it('that the machine refuses is the one failure of the peer, and changes nothing', async () => {
    await manageable(world);
    const before = await documentOf(world);
    world.script.refuse('act', new Error('not now'));
    expect(await world.ask(nmi)).toMatchObject({
      ok: false,
      code: 'PEER_FAILED',
      message: expect.stringContaining('not now'),
    });
    const { updated_at: _then, ...after } = (await documentOf(world)) ?? {};
    expect(before).toMatchObject(after);
  });

  it('that the machine never answers is given up', async () => {
    await manageable(world);
    world.script.hold('act');
    const sent = world.send(nmi);
    await world.clock.advanceBy(40_000);
    expect(sent.reply).toMatchObject({ ok: false, code: 'PEER_FAILED' });
    expect(await documentOf(world)).toMatchObject({ reservation: null });
  });

  it('is refused before anything is stored where the interface does not offer it', async () => {
    await world.do(creation(NODE, { driver: 'manual-management', management_interface: 'noop' }));
    const before = await eventTypes(world);
    expect(await world.ask(nmi)).toMatchObject({ ok: false, code: 'UNSUPPORTED_EXTENSION' });
    expect(await world.ask(ask({ ask: 'indicators' }))).toMatchObject({ ok: false, code: 'UNSUPPORTED_EXTENSION' });
    expect(await eventTypes(world)).toEqual(before);
  });

  it('is refused before anything is stored where the machine can not do it like this', async () => {
    await manageable(world);
    const purple = manage({ act: 'set indicator', component: 'c', indicator: 'i', state: 'purple' });
    const before = await eventTypes(world);
    expect(await world.ask(purple)).toMatchObject({ ok: false, code: 'INVALID_PARAMETER', message: 'no such colour' });
    expect(await eventTypes(world)).toEqual(before);
  });

  it('that came twice under one id is done once, and answered the same', async () => {
    await manageable(world);
    const id = '00000000-0000-4000-8000-0000000000aa';
    const first = await world.ask(call('now'), { commandId: id });
    const again = await world.ask(call('now'), { commandId: id });
    expect(again).toEqual(first);
    expect(first).toEqual({ ok: true, result: { answer: { called: 'now' } } });
    expect(world.script.asked.filter(({ word }) => word === 'act')).toHaveLength(1);
  });

  it('of a vendor goes as its method says', async () => {
    await manageable(world);
    const machine = world.script.hold('act');
    expect(await world.ask(call('later'))).toEqual({ ok: true, result: {} });
    expect((await streamOf(world)).node?.reservation).toMatchObject({ host: 'conductor-1' });
    expect(await world.ask(call('beside'))).toEqual({ ok: true, result: {} });
    machine.answer();
    await world.settle();
    machine.answer();
    await world.settle();
    expect((await streamOf(world)).node).toMatchObject({ reservation: null, effects: [] });
    expect(await world.ask(call('never'))).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining('never'),
    });
    expect(await world.ask(call('constructor'))).toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(await world.ask(call('now', {}, 'GET'))).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: 'The vendor method now takes POST, not GET.',
    });
  });

  it('keeps its secrets from the log, and hands them to the machine', async () => {
    await world.do(creation(NODE, {}));
    await world.do(call('now', { password: 'tr0ub4dor', kind: 'x' }));
    await world.do(cdrom);
    const wanted = world.script.asked.filter(({ word }) => word === 'act').map((one) => one.wanted);
    expect(wanted).toMatchObject([{ args: { password: 'tr0ub4dor', kind: 'x' } }, { imageUrl: URL_WITH_PASSWORD }]);
    const log = await world.memory.log.readAll(0, 1000);
    expect(log.map(({ data }) => data).join()).not.toContain('tr0ub4dor');
    const [, attached] = await eventData(world, 'ManagementDone');
    const { media } = attached?.['changed'] as { media: { imageUrl: unknown }[] };
    expect(isSealed(media[0]?.imageUrl)).toBe(true);
    const reply = await world.ask(ask({ ask: 'media' }));
    expect(reply).toMatchObject({
      ok: true,
      result: { answer: { managed: { media: [{ deviceType: 'cdrom', imageUrl: URL_WITH_PASSWORD }] } } },
    });
  });

  it('takes no sealed value of a client', async () => {
    await manageable(world);
    const sealed = { sealed: 'a', iv: 'b', tag: 'c', data: 'd' };
    expect(await world.ask(call('now', { x: sealed }))).toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('for RAID is noted where there is RAID', async () => {
    await manageable(world);
    const config = { logical_disks: [{ raid_level: '1', size_gb: 100 }] };
    await world.do(raid(config));
    expect(await documentOf(world)).toMatchObject({ target_raid_config: config });
    expect(await world.ask(raid({ logical_disks: [] }))).toMatchObject({ code: 'INVALID_PARAMETER' });
    await world.do(raid({}));
    expect(await documentOf(world)).toMatchObject({ target_raid_config: {} });
  });

  it('needs its node', async () => {
    for (const command of [nmi, raid({}), ask({ ask: 'console' })])
      expect(await world.ask(command)).toMatchObject({ code: 'NODE_NOT_FOUND' });
  });

  it('of a conductor that died is carried out by the next one', async () => {
    await manageable(world);
    world.script.hold('act');
    await world.do(consoleOn);
    await conductor.kill();
    world.script.play('act', () => undefined);
    await world.conductor();
    await world.clock.advanceBy(60_000);
    expect(await documentOf(world)).toMatchObject({ console_enabled: true, reservation: null });
  });
});
