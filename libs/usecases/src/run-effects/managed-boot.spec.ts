import {
  NODE,
  World,
  documentOf,
  endings,
  eventTypes,
  maintain,
  manageable,
  provision,
  removal,
  uuidOf,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const MAC = '52:54:00:00:00:01';
const fields = { inspect_interface: 'agent', boot_interface: 'ipxe' };

describe('an inspection whose ramdisk we boot', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
    await world.scheduler();
    world.script.play('managed boot', () => true);
    await manageable(world, NODE, fields);
    await world.do({
      type: 'CreateResource',
      kind: 'port',
      minor: 82,
      uuid: uuidOf(500),
      nodeUuid: NODE,
      fields: { address: MAC },
    });
  });
  afterEach(() => world.stop());

  const cleaned = () => world.script.calls('clean up ramdisk').map((call) => [call.interface, call.wanted]);
  const lastError = async () => (await documentOf(world))?.['last_error'];

  it('is asked about before it starts, by the ports of the machine, and started as was written down', async () => {
    await world.do(provision('inspect'));
    const ports = [{ address: MAC, pxeEnabled: true }];
    expect(world.script.calls('managed boot').map(({ machine }) => machine)).toMatchObject([{ ports, attempt: null }]);
    const machines = world.script.calls('inspect').map(({ machine }) => machine);
    expect(machines).toMatchObject([{ ports, attempt: 1, managedBoot: 'ipxe' }]);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect wait',
      driver_internal_info: { inspector_manage_boot: true },
    });
  });

  it('is started in the same way again by the successor of a conductor that died at it', async () => {
    world.script.hold('inspect');
    await world.do(provision('inspect'));
    await conductor.kill();
    world.script.obey('inspect');
    world.script.play('managed boot', () => false);
    await world.conductor({ host: 'conductor-2' });
    await world.clock.advanceBy(20_000);
    const managed = world.script.calls('inspect').map(({ machine }) => machine?.managedBoot);
    expect(managed).toEqual(['ipxe', 'ipxe']);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
  });

  it.each([
    ['an abort', () => world.do(provision('abort'))],
    ['the passing of its time', () => world.clock.advanceBy(1_800_000)],
  ])('is cleaned up before the machine is powered off: after %s', async (_what, end) => {
    await world.do(provision('inspect'));
    await end();
    await world.settle();
    const steps = world.script.asked.map(({ word }) => word).filter((word) => /^power$|clean up/.test(word));
    expect([steps, cleaned()]).toEqual([['clean up ramdisk', 'power'], [['ipxe', 1]]]);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect failed', reservation: null });
  });

  it('is cleaned up when its start failed, whatever it came to', async () => {
    world.script.refuse('inspect', new Error('unable to start inspection: no TFTP root'));
    await world.do(provision('inspect'));
    await world.settle();
    expect([await lastError(), cleaned()]).toEqual(['unable to start inspection: no TFTP root', [['ipxe', 1]]]);
  });

  it('keeps its reason when the clean-up fails, and the machine is powered off all the same', async () => {
    await world.do(provision('inspect'));
    world.script.refuse('clean up ramdisk', new Error('disk full'));
    await world.do(provision('abort'));
    await world.settle();
    expect(await lastError()).toBe(
      'Inspection was aborted by request. Also: Failed to clean up the boot of the ramdisk: disk full',
    );
    expect(world.script.calls('power').map(({ wanted }) => wanted)).toEqual(['power off']);
  });

  it('that hangs in its clean-up is given up, and the power is next', async () => {
    await world.do(provision('inspect'));
    world.script.hold('clean up ramdisk');
    await world.do(provision('abort'));
    await world.clock.advanceBy(30_000);
    expect(await lastError()).toMatch(/Also: .*no answer within 30 seconds$/);
    expect(world.script.calls('power')).toHaveLength(1);
  });

  it('leaves nothing of a node that is removed under it, and nothing to a later life of it', async () => {
    await world.do(provision('inspect'));
    await world.do(maintain());
    await world.do(removal());
    expect([cleaned(), await endings(world)]).toEqual([[['ipxe', 1]], ['InspectionRemoved']]);
  });

  it('leaves nothing of a node that is removed before it was cleaned up', async () => {
    await world.do(provision('inspect'));
    const held = world.script.hold('clean up ramdisk');
    await world.do(provision('abort'));
    await world.do(maintain());
    world.script.obey('clean up ramdisk');
    await world.do(removal());
    held.answer();
    expect(cleaned()).toEqual([
      ['ipxe', 1],
      ['ipxe', 1],
    ]);
  });

  it('is removed also when what was prepared cannot be taken away', async () => {
    await world.do(provision('inspect'));
    world.script.refuse('clean up ramdisk', new Error('disk full'));
    await world.do(maintain());
    await world.do(removal());
    expect(await documentOf(world)).toBeNull();
    expect(world.records.filter(({ level }) => level === 'warn').map(({ fields: shown }) => shown)).toMatchObject([
      { node: NODE, attempt: 1, interface: 'ipxe', reason: 'Error: disk full' },
    ]);
  });

  it('is nothing to a node whose ramdisk comes from outside', async () => {
    world.script.play('managed boot', () => false);
    await world.do(provision('inspect'));
    await world.do(provision('abort'));
    await world.settle();
    expect(cleaned()).toEqual([]);
    expect((await eventTypes(world)).filter((type) => type === 'EffectClosed')).toEqual([]);
  });
});
