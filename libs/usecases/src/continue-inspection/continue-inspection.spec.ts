import type { Command, RamdiskAnswer } from '@lib/contracts';
import { Refusal } from '@lib/domain';
import type { PortDocument } from '@lib/domain';
import { lookupBmcAddresses } from '@lib/adapters/inspect-inspector';
import type { Asked, WorldConductor } from '../../../../test/world';
import {
  NODE,
  World,
  creation,
  documentOf,
  endings,
  eventData,
  eventTypes,
  maintain,
  manageable,
  provision,
  removal,
  uuidOf,
  unmaintain,
  waiting,
} from '../../../../test/world';

const agent = { inspect_interface: 'agent' };
const MAC = '52:54:00:00:00:01';
const OTHER = uuidOf(2);

const inventory = (mac = MAC, rest: object = {}) => ({
  interfaces: [{ name: 'eth0', mac_address: mac }],
  cpu: { architecture: 'x86_64' },
  boot: { pxe_interface: mac },
  ...rest,
});

const post = (rest: Partial<Extract<Command, { type: 'ContinueInspection' }>> = {}): Command => ({
  type: 'ContinueInspection',
  uuid: uuidOf(900),
  askedNode: null,
  inventory: inventory(),
  pluginData: { root_disk: { name: '/dev/sda' }, logs: 'H4sI' },
  tokenDigest: null,
  ...rest,
});

describe('posted inspection data', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
  });
  afterEach(() => world.stop());

  const port = (address: string, nodeUuid = NODE, uuid = uuidOf(500)): Command => ({
    type: 'CreateResource',
    kind: 'port',
    minor: 82,
    uuid,
    nodeUuid,
    fields: { address },
  });

  async function ports(nodeUuid = NODE): Promise<PortDocument[]> {
    const where = [{ column: 'node_uuid', is: 'equal', value: nodeUuid }] as const;
    const sort = { column: 'seq', descending: false };
    const list = await world.memory.readModel.list({ kind: 'port', where, sort, limit: 100 });
    return (list ?? []).map(({ json }) => JSON.parse(json) as PortDocument);
  }

  async function stored(nodeUuid = NODE): Promise<{ inventory: unknown; plugin_data: Record<string, unknown> } | null> {
    const [row] = await world.memory.readModel.get('node_inventory', [nodeUuid]);
    if (!row) return null;
    const hashes = JSON.parse(row.json) as { inventory: string; plugin_data: string };
    const blob = async (hash: string) =>
      JSON.parse(Buffer.from((await world.memory.readModel.readBlob(hash)) ?? []).toString('utf8')) as never;
    return { inventory: await blob(hashes.inventory), plugin_data: await blob(hashes.plugin_data) };
  }

  const agentWaits = async (uuid = NODE, mac = MAC): Promise<void> => {
    await waiting(world, uuid, agent);
    await world.do(port(mac, uuid, uuidOf(Number(uuid.slice(-3)) + 500)));
  };

  const state = async (uuid = NODE) => (await documentOf(world, uuid))?.['provision_state'];
  const reply = async (command: Command) => world.ask(command);
  const uniform = { ok: false, code: 'RESOURCE_NOT_FOUND', message: 'Resource could not be found.' };

  it('ends in manageable: ports, properties and inventory in one append, the machine off before it', async () => {
    await agentWaits();
    expect(await reply(post())).toMatchObject({ ok: true, result: { uuid: NODE, issued: false } });
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'manageable',
      properties: { cpu_arch: 'x86_64' },
      power_state: 'power off',
      last_error: null,
      reservation: null,
      inspection_started_at: null,
    });
    const types = await eventTypes(world);
    expect(types.slice(types.indexOf('InspectionResumed'))).toEqual([
      'InspectionResumed',
      'NodeUpdated',
      'InspectionCleanUpStarted',
      'PowerChanged',
      'InspectionFinished',
    ]);
    expect(await stored()).toMatchObject({
      inventory: inventory(),
      plugin_data: { root_disk: { name: '/dev/sda' }, macs: [MAC], all_interfaces: { eth0: { pxe_enabled: true } } },
    });
    expect((await stored())?.plugin_data).not.toHaveProperty('logs');
    expect(world.script.calls('power').map(({ wanted }) => wanted)).toEqual(['power off']);
  });

  it('is in the store before it is accepted, so that a dead conductor loses nothing', async () => {
    await agentWaits();
    const held = world.script.hold('power');
    expect((await reply(post())).ok).toBe(true);
    await conductor.kill();
    world.script.obey('power');
    await world.conductor({ host: 'conductor-2' });
    await world.clock.advanceBy(20_000);
    held.answer({ powerState: 'power off', changed: true });
    await world.settle();
    expect([await state(), await endings(world)]).toEqual(['manageable', ['InspectionFinished']]);
    expect(await stored()).not.toBeNull();
  });

  it('issues a token with the answer, and forgets it with the ending', async () => {
    await agentWaits();
    world.script.hold('power');
    const answer = await reply(post({ tokenDigest: 'digest-1' }));
    const { issued, driver_internal_info: internal } = (answer.ok && answer.result) as unknown as RamdiskAnswer;
    expect([issued, internal]).toEqual([true, { inspector_manage_boot: false, agent_secret_token: '******' }]);
    expect(JSON.stringify(await documentOf(world))).not.toContain('digest-1');
  });

  it('answers the same command sent twice with the same word, and takes it once', async () => {
    await agentWaits();
    const command = post({ tokenDigest: 'digest-1' });
    world.script.hold('power');
    const first = await world.ask(command, { commandId: 'c-1' });
    const second = await world.ask(command, { commandId: 'c-1' });
    expect([first, second]).toMatchObject([
      { ok: true, result: { uuid: NODE, issued: true } },
      { ok: true, result: { uuid: NODE, issued: true } },
    ]);
    const types = await eventTypes(world);
    expect(types.filter((type) => type === 'InspectionResumed')).toHaveLength(1);
    expect(types).not.toContain('InspectionDataRefused');
  });

  describe('that comes at the wrong time', () => {
    it('finds nobody before, while another is processed, and after every ending; what is stored stays', async () => {
      await manageable(world, NODE, agent);
      await world.do(port(MAC));
      expect(await reply(post())).toEqual(uniform);
      await world.do(provision('inspect'));
      const held = world.script.hold('power');
      expect((await reply(post())).ok).toBe(true);
      expect([await state(), await reply(post())]).toEqual(['inspecting', uniform]);
      held.answer({ powerState: 'power off', changed: true });
      await world.settle();
      const before = await stored();
      expect(await reply(post({ inventory: inventory(MAC, { hostname: 'late' }) }))).toEqual(uniform);
      expect([await state(), await stored()]).toEqual(['manageable', before]);
      world.script.obey('power');
      await world.do(provision('inspect'));
      await world.do(provision('abort'));
      expect([await state(), await reply(post())]).toEqual(['inspect failed', uniform]);
      expect(await stored()).toEqual(before);
    });

    it('waits for a start that is still open, and is taken then', async () => {
      await manageable(world, NODE, agent);
      await world.do(port(MAC));
      const start = world.script.hold('inspect');
      await world.do(provision('inspect'));
      const sent = world.send(post());
      await world.clock.advanceBy(1500);
      expect(sent.reply).toBeNull();
      start.answer({ returned: 'INSPECTWAIT', manageBoot: false });
      await world.settle();
      expect(sent.reply).toMatchObject({ ok: true, result: { uuid: NODE } });
      expect([await state(), await endings(world)]).toEqual(['manageable', ['InspectionFinished']]);
    });

    it('is to be sent again when the start takes longer than that', async () => {
      await manageable(world, NODE, agent);
      await world.do(port(MAC));
      world.script.hold('inspect');
      await world.do(provision('inspect'));
      const sent = world.send(post());
      await world.clock.advanceBy(4000);
      expect(sent.reply).toMatchObject({ ok: false, code: 'NODE_LOCKED' });
    });

    it('finds nobody when the start it waited for has failed', async () => {
      await manageable(world, NODE, agent);
      await world.do(port(MAC));
      const start = world.script.hold('inspect');
      await world.do(provision('inspect'));
      const sent = world.send(post());
      await world.clock.advanceBy(100);
      start.refuse(new Error('unable to start inspection: no'));
      await world.clock.advanceBy(500);
      expect(sent.reply).toEqual(uniform);
      expect(await documentOf(world)).toMatchObject({ last_error: 'unable to start inspection: no' });
    });

    it('is taken in maintenance, and its time is up as soon as that ends without it (MNT-01)', async () => {
      await agentWaits();
      await world.do(maintain());
      expect((await reply(post())).ok).toBe(true);
      expect(await state()).toBe('manageable');
      await world.scheduler();
      await waiting(world, OTHER, agent);
      await world.do(maintain(OTHER));
      await world.clock.advanceBy(1_900_000);
      expect(await state(OTHER)).toBe('inspect wait');
      await world.do(unmaintain(OTHER));
      await world.clock.advanceBy(2000);
      expect(await state(OTHER)).toBe('inspect failed');
    });

    it('wins or loses against the timeout, never both', async () => {
      await world.scheduler();
      await agentWaits();
      const due = world.clock.now() + 1_800_000;
      await world.clock.advanceTo(due - 1);
      const sent = world.send(post());
      await world.clock.advanceBy(3000);
      expect(sent.reply).toMatchObject({ ok: true });
      expect(await endings(world)).toEqual(['InspectionFinished']);
    });
  });

  describe('whose node', () => {
    it('was named, owns the MAC and has the BMC, all three, or there is none (LKP-11)', async () => {
      world.script.play('inspect', (asked: Asked) => ({
        returned: 'INSPECTWAIT',
        manageBoot: false,
        lookupBmcAddresses: [asked.node === NODE ? '192.0.2.1' : 'fd00::5'],
      }));
      await agentWaits();
      await agentWaits(OTHER, '52:54:00:00:00:02');
      expect(await reply(post({ askedNode: OTHER }))).toEqual(uniform);
      expect(await reply(post({ inventory: inventory(MAC, { bmc_v6address: 'FD00:0::5' }) }))).toEqual(uniform);
      expect(await reply(post({ askedNode: uuidOf(77) }))).toEqual(uniform);
      expect([await state(), await state(OTHER)]).toEqual(['inspect wait', 'inspect wait']);
      expect(world.records.filter(({ text }) => text.includes('finds no node'))).toHaveLength(3);
      const byBmc = inventory('52:54:00:00:00:99', { bmc_v6address: 'FD00:0::5' });
      expect(await reply(post({ inventory: byBmc }))).toMatchObject({ ok: true, result: { uuid: OTHER } });
    });

    it('shares its BMC with others is found by its MAC alone (LKP-04)', async () => {
      const sleds = [1, 2, 3, 4];
      world.script.play('inspect', async ({ machine }: Asked) => ({
        returned: 'INSPECTWAIT',
        manageBoot: false,
        lookupBmcAddresses: await lookupBmcAddresses(machine?.driverInfo ?? {}, 'n', {
          resolveHost: () => Promise.resolve([]),
          clock: world.clock,
          logger: world.logger,
        }),
      }));
      for (const n of sleds) {
        const fields = { ...agent, driver_info: { redfish_address: 'https://[2001:db8:7::10]:8000' } };
        await waiting(world, uuidOf(n), fields);
        await world.do(port(`52:54:00:00:00:0${n}`, uuidOf(n), uuidOf(500 + n)));
      }
      const bmc = { bmc_v6address: '2001:db8:7::10' };
      expect(await reply(post({ inventory: inventory('52:54:00:00:00:99', bmc) }))).toEqual(uniform);
      expect(await reply(post({ inventory: inventory('52:54:00:00:00:03', bmc) }))).toMatchObject({
        ok: true,
        result: { uuid: uuidOf(3) },
      });
      expect(await Promise.all(sleds.map((n) => state(uuidOf(n))))).toEqual([
        'inspect wait',
        'inspect wait',
        'manageable',
        'inspect wait',
      ]);
    });

    it('was deleted is nobody (MNT-05)', async () => {
      await agentWaits();
      await world.do(maintain());
      await world.do(removal());
      expect(await reply(post())).toEqual(uniform);
      expect(await reply(post({ askedNode: NODE }))).toEqual(uniform);
    });
  });

  describe('that is no use', () => {
    it('fails the inspection with the words of the ramdisk; the machine goes off, ports and data stay as they were', async () => {
      await agentWaits();
      await reply(
        post({ inventory: inventory('52:54:00:00:00:77'), askedNode: NODE, pluginData: { error: 'no disks' } }),
      );
      expect(await documentOf(world)).toMatchObject({
        provision_state: 'inspect failed',
        last_error: expect.stringMatching(/^Failed to finish inspection: .*hooks: .*no disks/),
        power_state: 'power off',
        properties: {},
      });
      expect((await ports()).map(({ address }) => address)).toEqual([MAC]);
      expect(await stored()).toBeNull();
    });

    it('fails when the machine of a good run does not go off, and is not stored', async () => {
      await agentWaits();
      world.script.refuse('power', new Error('the BMC is silent'));
      await reply(post());
      expect(await documentOf(world)).toMatchObject({
        provision_state: 'inspect failed',
        last_error: expect.stringContaining('Inspection clean up failed'),
      });
    });
  });

  describe('and the ports', () => {
    it("of two nodes make the data nobody's, until one of them lets go of its MAC", async () => {
      await agentWaits();
      await world.do(creation(OTHER));
      await world.do(port('52:54:00:00:00:02', OTHER, uuidOf(502)));
      const nics = { interfaces: [MAC, '52:54:00:00:00:02'].map((mac) => ({ name: mac, mac_address: mac })), boot: {} };
      const both = post({ askedNode: NODE, inventory: { ...inventory(), ...nics } });
      expect(await reply(both)).toEqual(uniform);
      await world.do({ type: 'RemoveResource', kind: 'port', uuid: uuidOf(502), nodeUuid: OTHER });
      expect((await reply(both)).ok).toBe(true);
      expect((await ports()).map(({ address }) => address)).toEqual([MAC, '52:54:00:00:00:02']);
    });

    it('of a MAC that is taken in the moment of writing are left out, and the rest is written', async () => {
      await agentWaits();
      const { log, readModel } = world.memory;
      const append = log.append.bind(log);
      let stolen = false;
      jest.spyOn(log, 'append').mockImplementation(async (wanted) => {
        if (!stolen && wanted.writes.some(({ stream }) => stream.startsWith('port/')) && wanted.fences) {
          stolen = true;
          await append({
            writes: [
              { stream: 'port/thief', expected: 'absent', events: [{ type: 'PortCreated', schema: 1, data: {} }] },
            ],
            meta: { commandId: 'thief', requestId: null, actor: null, source: 's', at: 0, causation: null },
            changes: [{ change: 'claim', index: 'port.address', value: '52:54:00:00:00:0f', owner: 'port/thief' }],
          });
        }
        return append(wanted);
      });
      const nics = {
        interfaces: [
          { name: 'a', mac_address: MAC },
          { name: 'b', mac_address: '52:54:00:00:00:0f' },
        ],
      };
      await reply(post({ inventory: { ...inventory(), ...nics, boot: {} } }));
      await world.clock.advanceBy(2000);
      expect(stolen).toBe(true);
      expect([await state(), (await ports()).map(({ address }) => address)]).toEqual(['manageable', [MAC]]);
      expect(await readModel.owners('port.address', ['52:54:00:00:00:0f'])).toEqual(
        new Map([['52:54:00:00:00:0f', 'port/thief']]),
      );
    });

    it('keep their uuid and become those that boot, whatever the case of the MAC', async () => {
      await agentWaits();
      await reply(post({ inventory: inventory(MAC.toUpperCase()) }));
      expect(await ports()).toMatchObject([{ uuid: uuidOf(501), address: MAC, pxe_enabled: true }]);
    });
  });

  it('of a second inspection replaces the first, which the log still knows (CBK-02)', async () => {
    await agentWaits();
    await reply(post());
    await world.do(provision('inspect'));
    await reply(post({ inventory: inventory(MAC, { hostname: 'second' }) }));
    expect(await stored()).toMatchObject({ inventory: { hostname: 'second' } });
    const finished = await eventData(world, 'InspectionFinished');
    expect(new Set(finished.map(({ inventory: hashes }) => JSON.stringify(hashes))).size).toBe(2);
  });

  it('is not accepted when it can not be stored (CBK-05, CBK-14)', async () => {
    await agentWaits();
    const append = jest.spyOn(world.memory.log, 'append').mockRejectedValue(new Refusal('UNAVAILABLE', 'no disk'));
    expect(await reply(post())).toMatchObject({ ok: false, code: 'UNAVAILABLE' });
    append.mockRestore();
    expect([await state(), (await reply(post())).ok]).toEqual(['inspect wait', true]);
  });
});
