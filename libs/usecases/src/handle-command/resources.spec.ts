import { plainKinds, plainResources, withoutLayout } from '@lib/contracts';
import type { Command, PatchOperation, PlainKind } from '@lib/contracts';
import { secretBox } from '@lib/adapters/secret-box';
import type { Sealed } from '@lib/ports';
import {
  MASTER_KEY,
  NODE,
  World,
  creation,
  manageable,
  patch,
  powerTo,
  removal,
  replace,
  uuidOf,
} from '../../../../test/world';

const OTHER = uuidOf(2);
const step = { interface: 'deploy', step: 'write_image', args: {}, priority: 80 };
const rule = { actions: [{ op: 'fail', args: { msg: 'no' } }] };

/** A valid creation of each kind. */
const samples: Readonly<Record<PlainKind, Record<string, unknown>>> = {
  port: { address: '52:54:00:aa:00:01' },
  chassis: { description: 'rack 1' },
  portgroup: { name: 'bond0' },
  deploy_template: { name: 'CUSTOM_RAID', steps: [step] },
  runbook: { name: 'CUSTOM_BOOK', steps: [{ interface: 'bios', step: 'apply', order: 1 }] },
  volume_connector: { type: 'iqn', connector_id: 'iqn.2026-11.org.example:1' },
  volume_target: { volume_type: 'iscsi', boot_index: 0, volume_id: 'v-1' },
  inspection_rule: rule,
  allocation: { resource_class: 'gold', name: 'lab-1' },
};

const nodeOf = (kind: PlainKind, node = NODE): string | null => (plainResources[kind].ofNode ? node : null);

const create = (kind: PlainKind, n: number, fields: object = {}, minor = 115): Command => ({
  type: 'CreateResource',
  kind,
  uuid: uuidOf(n),
  nodeUuid: nodeOf(kind),
  fields: { ...samples[kind], ...fields },
  minor,
});
const change = (kind: PlainKind, n: number, ...operations: PatchOperation[]): Command => ({
  type: 'PatchResource',
  kind,
  uuid: uuidOf(n),
  nodeUuid: nodeOf(kind),
  patch: operations,
  minor: 115,
});
const remove = (kind: PlainKind, n: number): Command => ({
  type: 'RemoveResource',
  kind,
  uuid: uuidOf(n),
  nodeUuid: nodeOf(kind),
});

describe('plain resources', () => {
  let world: World;

  beforeEach(async () => {
    world = new World();
    await world.conductor();
    await manageable(world);
    await world.do(powerTo('power off'));
  });
  afterEach(() => world.stop());

  const documentOf = async (kind: PlainKind, n: number): Promise<Readonly<Record<string, unknown>> | null> => {
    const [stored] = await world.memory.readModel.get(kind, [uuidOf(n)]);
    return stored ? withoutLayout(JSON.parse(stored.json) as Record<string, unknown>) : null;
  };
  const codeOf = async (command: Command): Promise<string> => {
    const reply = await world.ask(command);
    return reply.ok ? 'accepted' : reply.code;
  };

  describe.each(plainKinds)('%s', (kind) => {
    it('is created with every field of its declaration, changed and removed', async () => {
      await world.do(create(kind, 90));
      const shown = plainResources[kind].fields.filter(({ computed }) => !computed).map(({ name }) => name);
      expect(Object.keys((await documentOf(kind, 90)) ?? {}).sort()).toEqual(shown.sort());
      expect(await documentOf(kind, 90)).toMatchObject({ ...samples[kind], uuid: uuidOf(90), updated_at: null });
      await world.do(changeOf(kind));
      expect((await documentOf(kind, 90))?.['updated_at']).not.toBeNull();
      await world.do(remove(kind, 90));
      expect(await documentOf(kind, 90)).toBeNull();
      const events = await world.memory.log.readStream(`${kind}/${uuidOf(90)}`, 0, 10);
      const words = ['Created', 'Changed', 'Removed'].map((word) => `${plainResources[kind].concept}${word}`);
      expect(events.map(({ type }) => type)).toEqual(words);
    });

    it('is there once under its UUID and its keys', async () => {
      await world.do(create(kind, 90));
      expect(await codeOf(create(kind, 90))).toBe('DUPLICATE_UUID');
      const again = await codeOf(create(kind, 91));
      if (plainResources[kind].unique.length > 0) expect(again).toMatch(/^DUPLICATE_/);
      else expect(again).toBe('accepted');
    });

    it('says which one is missing', async () => {
      expect(await codeOf(changeOf(kind))).toBe('RESOURCE_NOT_FOUND');
      expect(await codeOf(remove(kind, 90))).toBe('RESOURCE_NOT_FOUND');
    });
  });

  /** A change that each kind takes. */
  const changeOf = (kind: PlainKind): Command => {
    const extra = plainResources[kind].fields.some(({ name }) => name === 'extra');
    return change(kind, 90, extra ? replace('/extra', { a: 1 }) : replace('/description', 'again'));
  };

  it.each(plainKinds.filter((kind) => plainResources[kind].ofNode))('%s goes with its node', async (kind) => {
    await world.do(create(kind, 90));
    await world.do(removal());
    expect(await documentOf(kind, 90)).toBeNull();
    expect(await codeOf(create(kind, 91))).toBe('INVALID_PARAMETER');
  });

  it('keeps a chassis while a node is in it', async () => {
    await world.do(create('chassis', 90));
    await world.do(creation(OTHER, { chassis_uuid: uuidOf(90) }));
    expect(await codeOf(remove('chassis', 90))).toBe('INVALID_PARAMETER');
    expect(await codeOf(creation(uuidOf(3), { chassis_uuid: uuidOf(91) }))).toBe('INVALID_PARAMETER');
    expect(await codeOf(patch([replace('/chassis_uuid', uuidOf(91))]))).toBe('INVALID_PARAMETER');
    await world.do(patch([{ op: 'remove', path: '/chassis_uuid' }], OTHER));
    await world.do(remove('chassis', 90));
  });

  it('lets a node and the end of its chassis race: one of the two wins', async () => {
    for (let round = 0; round < 20; round += 1) {
      await world.do(create('chassis', 90));
      const uuid = uuidOf(100 + round);
      const [made, gone] = await Promise.all([
        codeOf(creation(uuid, { chassis_uuid: uuidOf(90) })),
        codeOf(remove('chassis', 90)),
      ]);
      expect([made, gone].filter((code) => code === 'accepted')).toHaveLength(1);
      if (made !== 'accepted') continue;
      await world.do(removal(uuid));
      await world.do(remove('chassis', 90));
    }
  });

  describe('a port group', () => {
    beforeEach(() => world.do(create('portgroup', 80)));

    it('takes ports of its node only, and is kept while it has any', async () => {
      expect(await codeOf(create('port', 90, { portgroup_uuid: uuidOf(81) }))).toBe('INVALID_PARAMETER');
      await world.do(create('port', 90, { portgroup_uuid: uuidOf(80) }));
      expect(await codeOf(remove('portgroup', 80))).toBe('INVALID_PARAMETER');
      await world.do(creation(OTHER));
      expect(await codeOf(change('portgroup', 80, replace('/node_uuid', OTHER)))).toBe('INVALID_PARAMETER');
      expect(await codeOf(change('port', 90, replace('/node_uuid', OTHER)))).toBe('INVALID_PARAMETER');
      await world.do(change('port', 90, { op: 'remove', path: '/portgroup_uuid' }));
      await world.do(change('portgroup', 80, replace('/node_uuid', OTHER)));
      expect(await documentOf('portgroup', 80)).toMatchObject({ node_uuid: OTHER });
    });

    it('without standalone ports takes none that boots by itself', async () => {
      await world.do(change('portgroup', 80, replace('/standalone_ports_supported', false)));
      const member = { portgroup_uuid: uuidOf(80), pxe_enabled: true };
      expect(await codeOf(create('port', 90, member))).toBe('STATE_CONFLICT');
      await world.do(create('port', 90, { ...member, pxe_enabled: false }));
    });

    it('has one physical network, which its ports follow', async () => {
      await world.do(create('port', 90, { portgroup_uuid: uuidOf(80), physical_network: 'a' }));
      const second = { address: '52:54:00:aa:00:02', portgroup_uuid: uuidOf(80) };
      expect(await codeOf(create('port', 91, { ...second, physical_network: 'b' }))).toBe('STATE_CONFLICT');
      await world.do(create('port', 91, { ...second, physical_network: 'a' }));
      await world.do(change('portgroup', 80, replace('/physical_network', 'b')));
      expect(await documentOf('port', 90)).toMatchObject({ physical_network: 'b' });
      expect(await documentOf('port', 91)).toMatchObject({ physical_network: 'b' });
    });

    it('has a mode, a MAC in lower case and a name that can be addressed', async () => {
      expect(await documentOf('portgroup', 80)).toMatchObject({ mode: 'active-backup' });
      await world.do(change('portgroup', 80, replace('/address', '52:54:00:AA:00:0F')));
      expect(await documentOf('portgroup', 80)).toMatchObject({ address: '52:54:00:aa:00:0f' });
      expect(await codeOf(change('portgroup', 80, replace('/name', 'a b')))).toBe('INVALID_PARAMETER');
      expect(await codeOf(change('portgroup', 80, { op: 'remove', path: '/mode' }))).toBe('INVALID_PARAMETER');
    });
  });

  it.each<[PlainKind, object, number, string]>([
    ['deploy_template', { name: 'lower' }, 115, 'INVALID_PARAMETER'],
    ['deploy_template', { steps: [] }, 115, 'INVALID_PARAMETER'],
    ['deploy_template', { steps: [step, step] }, 115, 'INVALID_PARAMETER'],
    ['deploy_template', { steps: [{ ...step, interface: 'network' }] }, 115, 'INVALID_PARAMETER'],
    ['runbook', { name: 'any name' }, 115, 'INVALID_PARAMETER'],
    ['runbook', { name: 'any-name' }, 115, 'accepted'],
    ['runbook', { name: 'any-name' }, 111, 'INVALID_PARAMETER'],
    ['runbook', { public: true, owner: 'p' }, 115, 'INVALID_PARAMETER'],
    ['volume_target', { boot_index: 'first' }, 115, 'INVALID_PARAMETER'],
    ['inspection_rule', { priority: -1 }, 115, 'INVALID_PARAMETER'],
    ['inspection_rule', { priority: 10_000 }, 115, 'INVALID_PARAMETER'],
    ['inspection_rule', { phase: 'early' }, 115, 'INVALID_PARAMETER'],
    ['inspection_rule', { actions: [] }, 115, 'INVALID_PARAMETER'],
    ['inspection_rule', { actions: [{ op: 'explode', args: {} }] }, 115, 'INVALID_PARAMETER'],
    ['inspection_rule', { actions: [{ op: 'fail', args: {} }] }, 115, 'INVALID_PARAMETER'],
    ['inspection_rule', { actions: [{ op: 'fail', args: ['positional'] }] }, 115, 'accepted'],
    ['inspection_rule', { conditions: [{ op: '!eq', args: { values: [1, 1] } }] }, 115, 'accepted'],
    ['inspection_rule', { conditions: [{ op: '! eq', args: { values: [1, 1] } }] }, 115, 'INVALID_PARAMETER'],
    ['inspection_rule', { conditions: [{ op: 'toString', args: {} }] }, 115, 'INVALID_PARAMETER'],
    [
      'inspection_rule',
      { conditions: [{ op: 'is-none', args: { value: 1 }, multiple: 'some' }] },
      115,
      'INVALID_PARAMETER',
    ],
  ])('%s with %j at 1.%d: %s', async (kind, fields, minor, code) => {
    expect(await codeOf(create(kind, 90, fields, minor))).toBe(code);
  });

  it('keeps a sensitive rule sensitive', async () => {
    await world.do(create('inspection_rule', 90, { sensitive: true }));
    expect(await codeOf(change('inspection_rule', 90, replace('/sensitive', false)))).toBe('INVALID_PARAMETER');
  });

  it("makes a public runbook nobody's", async () => {
    await world.do(create('runbook', 90, { owner: 'p' }));
    await world.do(change('runbook', 90, replace('/public', true)));
    expect(await documentOf('runbook', 90)).toMatchObject({ public: true, owner: null });
  });

  it('changes volume records of a machine that is off only', async () => {
    await world.do(create('volume_target', 90));
    await world.do(powerTo('power on'));
    expect(await codeOf(change('volume_target', 90, replace('/extra', { a: 1 })))).toBe('INVALID_STATE');
    expect(await codeOf(remove('volume_target', 90))).toBe('accepted');
  });

  describe('secrets', () => {
    const secret = 'geheim-4711';
    const inLog = async (): Promise<string> =>
      JSON.stringify(await world.memory.log.readAll(0, 10_000)) +
      JSON.stringify([...world.memory.store.documents.get('volume_target', [uuidOf(90)])]);
    const target = (password: unknown): object => ({ properties: { auth_password: password, target_portal: 'p' } });

    it('of a resource are sealed, under a key that goes with it', async () => {
      await world.do(create('volume_target', 90, target(secret)));
      expect(await inLog()).not.toContain(secret);
      expect(await documentOf('volume_target', 90)).toMatchObject({
        properties: { auth_password: { sealed: expect.any(String) as string }, target_portal: 'p' },
      });
      const keys = world.memory.store.keys.size;
      await world.do(change('volume_target', 90, replace('/properties/auth_password', 'another')));
      expect(world.memory.store.keys.size).toBe(keys);
      await world.do(remove('volume_target', 90));
      expect(world.memory.store.keys.size).toBe(keys - 1);
    });

    describe('of a sensitive inspection rule', () => {
      const whole = {
        sensitive: true,
        conditions: [{ op: 'eq', args: { values: ['{inventory[hostname]}', 'geheim-host'] } }],
        actions: [{ op: 'set-attribute', args: { path: '/extra/geheim-path', value: secret } }],
      };
      const sealedWhole = { sealed: expect.any(String) as string };
      const everything = async (): Promise<string> =>
        JSON.stringify(await world.memory.log.readAll(0, 10_000)) +
        JSON.stringify([...world.memory.store.documents.get('inspection_rule', [uuidOf(90)])]);

      it('are all that it says, under a key that goes with it', async () => {
        const keys = world.memory.store.keys.size;
        await world.do(create('inspection_rule', 90, whole));
        expect(await everything()).not.toContain('geheim');
        expect(await documentOf('inspection_rule', 90)).toMatchObject({
          conditions: sealedWhole,
          actions: sealedWhole,
        });
        expect(world.memory.store.keys.size).toBe(keys + 1);
        await world.do(remove('inspection_rule', 90));
        expect(world.memory.store.keys.size).toBe(keys);
      });

      it('are patched as if they lay open, and sealed again under the same key', async () => {
        await world.do(create('inspection_rule', 90, whole));
        const keys = world.memory.store.keys.size;
        await world.do(change('inspection_rule', 90, replace('/actions/0/args/value', 'geheim-4712')));
        await world.do(
          change('inspection_rule', 90, { op: 'add', path: '/conditions/-', value: { op: 'is-none', args: [null] } }),
        );
        expect(await codeOf(change('inspection_rule', 90, replace('/actions/0/op', 'explode')))).toBe(
          'INVALID_PARAMETER',
        );
        expect(await everything()).not.toContain('geheim');
        expect(world.memory.store.keys.size).toBe(keys);
        const { conditions, actions } = (await documentOf('inspection_rule', 90)) as Record<string, Sealed>;
        const box = secretBox({ masterKey: MASTER_KEY, keys: world.memory.keyStore, chance: world.chance });
        expect(await box.open(actions!)).toEqual([
          { op: 'set-attribute', args: { path: '/extra/geheim-path', value: 'geheim-4712' } },
        ]);
        expect(await box.open(conditions!)).toHaveLength(2);
      });

      it('begin with the PATCH that makes it sensitive', async () => {
        await world.do(create('inspection_rule', 90));
        await world.do(change('inspection_rule', 90, replace('/sensitive', true)));
        expect(await documentOf('inspection_rule', 90)).toMatchObject({ actions: sealedWhole });
      });
    });

    it('leave no key behind when nothing was stored, or none is left', async () => {
      await world.do(create('volume_target', 90));
      const keys = world.memory.store.keys.size;
      expect(await codeOf(create('volume_target', 91, target(secret)))).toBe('DUPLICATE_KEY');
      expect(world.memory.store.keys.size).toBe(keys);
      await world.do(change('volume_target', 90, replace('/properties', { auth_password: secret })));
      expect(world.memory.store.keys.size).toBe(keys + 1);
      await world.do(change('volume_target', 90, { op: 'remove', path: '/properties' }));
      expect(world.memory.store.keys.size).toBe(keys);
    });

    it('go with the node', async () => {
      await world.do(create('volume_target', 90, target(secret)));
      const keys = world.memory.store.keys.size;
      await world.do(removal());
      expect(world.memory.store.keys.size).toBe(keys - 1);
    });

    it('can not be handed in sealed', async () => {
      const foreign = { sealed: 'k', iv: 'i', tag: 't', data: 'd' };
      expect(await codeOf(create('volume_target', 90, target(foreign)))).toBe('INVALID_PARAMETER');
    });
  });
});
