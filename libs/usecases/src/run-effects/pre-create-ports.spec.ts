import { NODE, World, documentOf, manageable, provision, uuidOf } from '../../../../test/world';
import type { InspectionSetup } from '../../../../test/world/options';

const [A, B, C] = ['52:54:00:00:00:01', '52:54:00:00:00:02', '52:54:00:00:00:03'] as const;

describe('ports that are made when an inspection by ramdisk starts', () => {
  let world: World;
  beforeEach(() => (world = new World()));
  afterEach(() => world.stop());

  /** The BMC of every machine answers so. */
  function lists(macs: () => Promise<readonly string[]>): void {
    const { management } = world.hardware;
    world.hardware.management = (name) => ({ ...management(name), macs });
  }

  async function inspecting(inspect = 'agent', inspection: InspectionSetup = {}): Promise<void> {
    await world.conductor({ inspection });
    await manageable(world, NODE, { inspect_interface: inspect });
    await world.do(provision('inspect'));
  }

  const port = (n: number, nodeUuid: string, address: string): Promise<void> =>
    world.do({ type: 'CreateResource', kind: 'port', minor: 82, uuid: uuidOf(n), nodeUuid, fields: { address } });

  const ports = async (): Promise<(readonly [string, string, boolean])[]> => {
    const sort = { column: 'seq', descending: false } as const;
    const documents = (await world.memory.readModel.list({ kind: 'port', where: [], sort, limit: 10 })) ?? [];
    return documents.map(({ json }) => {
      const { node_uuid: node, address, pxe_enabled: pxe } = JSON.parse(json) as Record<string, string & boolean>;
      return [String(node), String(address), Boolean(pxe)] as const;
    });
  };

  const state = async () => (await documentOf(world))?.['provision_state'];

  it.each(['agent', 'inspector'])('with %s are those of the NICs, before the machine is booted', async (inspect) => {
    lists(async () => [A.toUpperCase(), B, B, 'no address']);
    const seen: unknown[] = [];
    world.script.play('inspect', async () => {
      seen.push(...(await ports()));
      return { returned: 'INSPECTWAIT', manageBoot: false };
    });
    await inspecting(inspect);
    expect(seen).toEqual([
      [NODE, A, true],
      [NODE, B, true],
    ]);
    expect([await state(), await ports()]).toEqual(['inspect wait', seen]);
  });

  it.each([
    ['the interface fake, which needs no ramdisk', 'fake', {}],
    ['the settings', 'agent', { preCreatePorts: false }],
  ])('are not where %s says so', async (_, inspect, inspection) => {
    lists(async () => [A]);
    await inspecting(inspect, inspection);
    expect(await ports()).toEqual([]);
  });

  it('leave those that are there as they are, and those of other nodes', async () => {
    lists(async () => [A, B, C]);
    await world.conductor();
    await manageable(world, NODE, { inspect_interface: 'agent' });
    await manageable(world, uuidOf(2), {});
    await port(500, NODE, A);
    await port(501, uuidOf(2), B);
    await world.do(provision('inspect'));
    expect(await ports()).toEqual([
      [NODE, A, true],
      [uuidOf(2), B, true],
      [NODE, C, true],
    ]);
    expect(world.records).toContainEqual(expect.objectContaining({ level: 'warn', fields: { node: NODE, mac: B } }));
    expect(await state()).toBe('inspect wait');
  });

  it('are none where the BMC lists none: that is told, and the inspection goes on', async () => {
    lists(async () => []);
    await inspecting();
    expect(await state()).toBe('inspect wait');
    expect(JSON.stringify(world.records)).toContain('lists no NIC');
  });

  it('end the start where the BMC does not answer', async () => {
    lists(() => Promise.reject(new Error('the BMC is silent')));
    await inspecting();
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: expect.stringMatching(/start inspection: .*the BMC is silent/),
    });
  });
});
