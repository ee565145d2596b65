import { decode } from '@lib/contracts';
import { isSealed } from '@lib/domain';
import {
  NODE,
  PREFIX,
  World,
  creation,
  documentOf,
  maintain,
  manageable,
  patch,
  powerTo,
  provision,
  removal,
  replace,
  waiting,
} from '../../../../test/world';

const PASSWORD = 'correct-horse-battery-staple';
const OTHER = 'tr0ub4dor-and-3';
const secrets = {
  driver_info: {
    address: '10.0.0.1',
    password: PASSWORD,
    nested: { deep: [{ api_token: OTHER }] },
    snmp_auth_key: OTHER,
  },
  instance_info: { configdrive: PASSWORD, image_source: 'http://images/1' },
};

/** Everything that is kept: log, derived rows, keys, effects, blobs. */
function everythingStored(world: World): string {
  const { store } = world.memory;
  const seen = new Set<unknown>();
  const plain = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString();
    if (typeof value !== 'object' || value === null || seen.has(value)) return value;
    seen.add(value);
    if (value instanceof Map) return [...value].map(plain);
    if (value instanceof Set) return [...value].map(plain);
    if (Array.isArray(value)) return value.map(plain);
    return Object.entries(value).map(([key, inner]) => [key, plain(inner)]);
  };
  return JSON.stringify(plain(store));
}

describe('secrets of a node', () => {
  let world: World;
  let overTheBus: string;
  beforeEach(async () => {
    world = new World();
    overTheBus = '';
    const { bus } = world;
    for (const word of ['request', 'hint'] as const) {
      const original = bus[word].bind(bus) as (subject: string, body: Uint8Array, options: never) => unknown;
      Object.assign(bus, {
        [word]: (subject: string, body: Uint8Array, options: never) => {
          overTheBus += Buffer.from(body).toString();
          return original(subject, body, options);
        },
      });
    }
    await world.conductor();
    await world.scheduler();
  });
  afterEach(() => world.stop());

  function expectSealed(): void {
    const all = everythingStored(world) + JSON.stringify(world.records) + overTheBus;
    expect(all).toContain('10.0.0.1');
    for (const secret of [PASSWORD, OTHER]) expect(all).not.toContain(secret);
  }

  it('are sealed before anything is stored, through a whole life', async () => {
    await waiting(world, NODE, secrets);
    await world.do(patch([replace('/driver_info/password', OTHER), replace('/extra', { note: '10.0.0.1' })]));
    await world.ask(provision('abort'));
    await world.do(powerTo('power on'));
    await world.do(provision('inspect'));
    await world.clock.advanceBy(1_900_000);
    expectSealed();
    expect(overTheBus).toContain(NODE);
  });

  it('are sealed also when they come with a verb', async () => {
    await manageable(world, NODE, { driver_info: { address: '10.0.0.1' } });
    await world.do(provision('provide'));
    await world.do({ type: 'Provision', uuid: NODE, target: 'active', args: { configdrive: PASSWORD } });
    expect(world.script.calls('deploy')[0]?.machine?.instanceInfo).toEqual({ configdrive: PASSWORD });
    expectSealed();
  });

  it('reach the hardware in the clear', async () => {
    await manageable(world, NODE, secrets);
    await world.do(provision('inspect'));
    const [asked] = world.script.calls('inspect');
    expect(asked?.machine?.driverInfo).toEqual(secrets.driver_info);
    expect(asked?.machine?.instanceInfo).toEqual(secrets.instance_info);
  });

  it('stay when a patch changes something else', async () => {
    await manageable(world, NODE, secrets);
    const before = (await documentOf(world))?.['driver_info'] as Record<string, unknown>;
    await world.do(
      patch([replace('/driver_info/address', '10.0.0.1:443'), { op: 'add', path: '/driver_info/k', value: 1 }]),
    );
    const after = (await documentOf(world))?.['driver_info'] as Record<string, unknown>;
    expect(after).toEqual({ ...before, address: '10.0.0.1:443', k: 1 });
    expect(isSealed(after['password'])).toBe(true);
  });

  it('can be replaced, not reached into', async () => {
    await manageable(world, NODE, secrets);
    const before = await documentOf(world);
    for (const path of ['/driver_info/password/data', '/driver_info/nested/deep/0/api_token/sealed']) {
      const reply = await world.ask(patch([replace(path, 'x')]));
      expect(reply).toMatchObject({ ok: false, code: 'INVALID_PATCH' });
      expect(await documentOf(world)).toEqual(before);
    }
    await world.do(patch([replace('/driver_info/password', OTHER)]));
    await world.do(provision('inspect'));
    expect(world.script.calls('inspect')[0]?.machine?.driverInfo['password']).toBe(OTHER);
  });

  it('can not be forged, nor moved in from another node', async () => {
    await manageable(world, NODE, secrets);
    const { password } = (await documentOf(world))?.['driver_info'] as { password: unknown };
    const forged = await world.ask(
      patch([
        replace('/extra', { a: 1 }),
        { op: 'add', path: '/driver_info/stolen', value: { ...(password as object), data: 'x' } },
      ]),
    );
    expect(forged.ok).toBe(false);
    const created = await world.ask(creation('aaaaaaaa-0000-4000-8000-000000000077', { driver_info: { password } }));
    expect(created.ok).toBe(false);
  });

  it('do not show in refusals', async () => {
    await manageable(world, NODE, secrets);
    const replies = [
      await world.ask(patch([replace('/driver_info/missing/deeper', PASSWORD)])),
      await world.ask(patch([replace('/driver_info', PASSWORD)])),
      await world.ask(patch([replace('/driver_info/password/x', PASSWORD)])),
      await world.ask(creation(NODE, secrets)),
    ];
    expect(replies.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(JSON.stringify(replies)).not.toContain(PASSWORD);
    expectSealed();
  });

  it('die with their node: its key is destroyed', async () => {
    await manageable(world, NODE, secrets);
    expect(world.memory.store.keys.size).toBe(1);
    await world.do(removal());
    expect(world.memory.store.keys.size).toBe(0);
    await manageable(world, NODE, secrets);
    expect(world.memory.store.keys.size).toBe(1);
  });

  it('leave no key when the creation is refused', async () => {
    await world.do(creation('aaaaaaaa-0000-4000-8000-000000000078', { name: 'taken' }));
    expect(await world.ask(creation(NODE, { ...secrets, name: 'taken' }))).toMatchObject({ code: 'DUPLICATE_NAME' });
    expect(world.memory.store.keys.size).toBe(0);
  });

  it('do not keep a node whose key is lost from timing out, and from being managed and removed', async () => {
    await waiting(world, NODE, secrets);
    world.memory.store.keys.clear();
    expect(await world.ask(provision('abort'))).toMatchObject({ ok: false, code: 'PEER_FAILED' });
    await world.clock.advanceBy(1_900_000);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect failed' });
    await world.do(provision('manage'));
    await world.do(maintain());
    await world.do(removal());
    expect(await documentOf(world)).toBeNull();
  });

  it('of the machine are not in the timeout events', async () => {
    await waiting(world, NODE, secrets);
    const bodies: unknown[] = [];
    await world.bus.listen(`${PREFIX}.v1.due.>`, ({ body }) => bodies.push(decode(body)));
    await world.clock.advanceBy(1_900_000);
    expectSealed();
  });
});
