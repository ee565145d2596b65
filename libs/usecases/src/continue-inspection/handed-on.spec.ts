import type { Command } from '@lib/contracts';
import type { WorldConductor } from '../../../../test/world';
import { NODE, World, documentOf, endings, uuidOf, waiting } from '../../../../test/world';

const MAC = '52:54:00:00:00:01';
const inventory = { interfaces: [{ name: 'eth0', mac_address: MAC }], cpu: { architecture: 'x86_64' } };
const port: Command = {
  type: 'CreateResource',
  kind: 'port',
  minor: 82,
  uuid: uuidOf(501),
  nodeUuid: NODE,
  fields: { address: MAC },
};
const post = (tokenDigest: string | null = null): Command => ({
  type: 'ContinueInspection',
  uuid: uuidOf(900),
  askedNode: null,
  inventory,
  pluginData: { root_disk: { name: '/dev/sda' }, logs: 'H4sI' },
  tokenDigest,
});

describe('posted data of a node that reports to an inspector', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
    await waiting(world);
    await world.do(port);
  });
  afterEach(() => world.stop());

  const state = async () => (await documentOf(world))?.['provision_state'];

  it('goes on to that, whole, and the node waits', async () => {
    const held = world.script.hold('forward');
    expect(await world.ask(post('digest-1'))).toMatchObject({ ok: true, result: { issued: true } });
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait', reservation: null });
    expect(await world.ask(post())).toMatchObject({ ok: false, code: 'RESOURCE_NOT_FOUND' });
    held.answer({});
    await world.settle();
    expect(world.script.calls('forward').map(({ wanted }) => wanted)).toEqual([
      { root_disk: { name: '/dev/sda' }, logs: 'H4sI', inventory },
    ]);
    expect([await state(), await world.memory.readModel.get('node_inventory', [NODE])]).toEqual(['inspect wait', []]);
  });

  it('fails the inspection where that can not be reached', async () => {
    world.script.refuse('forward', new Error('no inspector can be reached at http://192.0.2.1'));
    expect(await world.ask(post())).toMatchObject({ ok: true });
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: 'Failed to finish inspection: no inspector can be reached at http://192.0.2.1',
    });
  });

  it('is handed on again by the successor of a conductor that died on the way', async () => {
    world.script.hold('forward');
    expect((await world.ask(post())).ok).toBe(true);
    await conductor.kill();
    world.script.obey('forward');
    await world.conductor({ host: 'conductor-2' });
    await world.clock.advanceBy(20_000);
    expect(world.script.calls('forward')).toHaveLength(2);
    expect([await state(), await endings(world)]).toEqual(['inspect wait', []]);
  });
});
