import { MemoryEventStreamBroker } from '@lib/adapters/event-stream-memory';
import type { Command, NotificationLevel } from '@lib/contracts';
import type { EventStream, PublishedEvent } from '@lib/ports';
import facts from '../../../../test/contract-data/notifications.json';
import {
  NODE,
  PREFIX,
  World,
  creation,
  manageable,
  maintain,
  patch,
  powerTo,
  provision,
  removal,
  replace,
  unmaintain,
  uuidOf,
  waiting,
} from '../../../../test/world';
import { NotificationPublisher } from '.';

interface Told {
  readonly priority: string;
  readonly event_type: string;
  readonly publisher_id: string;
  readonly timestamp: string;
  readonly message_id: string;
  readonly payload: Readonly<Record<string, unknown>> & {
    readonly 'ironic_object.data': Readonly<Record<string, unknown>>;
  };
}

const TOPIC = 'ironic_versioned_notifications';

describe('notifications', () => {
  let world: World;
  let broker: MemoryEventStreamBroker;
  const publishers: NotificationPublisher[] = [];

  beforeEach(async () => {
    world = new World();
    broker = new MemoryEventStreamBroker('memory_v1_ntf');
    await world.conductor({ matchesAllocations: true });
    await world.scheduler();
  });
  afterEach(async () => {
    for (const one of publishers.splice(0)) await one.stop();
    await world.stop();
  });

  async function publishing(
    { least = 'info', topics = [TOPIC] }: { least?: NotificationLevel; topics?: string[] } = {},
    through: (stream: EventStream) => EventStream = (stream) => stream,
  ): Promise<NotificationPublisher> {
    const { memory, clock, logger } = world;
    const stream = through(broker.open(await memory.log.logId()));
    const deps = { log: memory.log, stream, clock, logger, prefix: PREFIX, least, topics, errorCharsMax: 4096 };
    const publisher = new NotificationPublisher(deps);
    publisher.start();
    publishers.push(publisher);
    await settled();
    return publisher;
  }

  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await world.settle();
  };
  const told = (): Told[] => broker.stored().map(({ body }) => JSON.parse(Buffer.from(body).toString()) as Told);
  const dataOf = (type: string): Readonly<Record<string, unknown>>[] =>
    told().flatMap((one) => (one.event_type === `baremetal.${type}` ? [one.payload['ironic_object.data']] : []));
  /** Types without their first word, and the levels of those that are no INFO, since the last look. */
  let looked = 0;
  async function types(): Promise<string[]> {
    await settled();
    const all = told();
    const since = all.slice(looked);
    looked = all.length;
    return since.map(({ event_type: type, priority }) => {
      const short = type.replace('baremetal.', '');
      return priority === 'INFO' ? short : `${short} ${priority}`;
    });
  }
  beforeEach(() => (looked = 0));

  const steps = async (): Promise<string[]> => {
    await settled();
    return dataOfSteps();
  };
  const dataOfSteps = (): string[] =>
    told()
      .filter(({ event_type: type }) => type.includes('.provision_set.'))
      .map(({ event_type: type, priority, payload }) => {
        const data = payload['ironic_object.data'];
        return `${String(data['event'])} ${type.split('.').at(-1)} ${priority}: ${String(data['previous_provision_state'])} -> ${String(data['provision_state'])}`;
      });

  const verified = ['manage start INFO: enroll -> verifying', 'done end INFO: verifying -> manageable'];
  const waits = ['inspect start INFO: manageable -> inspecting', 'wait success INFO: inspecting -> inspect wait'];

  it('tell of each step of an inspection, and of an abort as an end at level INFO', async () => {
    await waiting(world);
    await world.do(provision('abort'));
    await publishing();
    expect(await steps()).toEqual([...verified, ...waits, 'abort end INFO: inspect wait -> inspect failed']);
    expect(dataOf('node.provision_set.end').at(-1)).toMatchObject({
      uuid: NODE,
      event: 'abort',
      previous_target_provision_state: 'manageable',
      target_provision_state: 'manageable',
      last_error: expect.stringContaining('aborted') as unknown,
    });
  });

  it('tell of a timeout as an error, and of the power off that it leaves', async () => {
    await publishing();
    await waiting(world);
    await types();
    await world.clock.advanceBy(1_800_000);
    expect(await types()).toEqual(['node.provision_set.error ERROR', 'node.power_set.start', 'node.power_set.end']);
    expect(dataOf('node.provision_set.error')[0]).toMatchObject({
      event: 'fail',
      previous_provision_state: 'inspect wait',
      last_error: expect.stringMatching(/timeout reached/i) as unknown,
      inspection_started_at: null,
    });
    expect(dataOf('node.power_set.end')[0]).toMatchObject({ to_power: 'power off', power_state: 'power off' });
  });

  it('tell what clients do to a node: a start and an end, the new values in both', async () => {
    await publishing();
    await world.do(creation(NODE, { driver_info: { redfish_password: 'hush' }, extra: { password: 'open' } }));
    expect(await types()).toEqual(['node.create.start', 'node.create.end']);
    expect(dataOf('node.create.start')[0]).toMatchObject({ uuid: NODE, created_at: null, provision_state: 'enroll' });
    expect(dataOf('node.create.end')[0]).toMatchObject({
      created_at: '2026-11-30T08:00:00Z',
      driver_info: { redfish_password: '******' },
      extra: { password: 'open' },
    });
    await world.do(patch([replace('/extra', { rack: 7 })]));
    await world.do({ type: 'ChangeTraits', of: 'node', uuid: NODE, change: { set: ['CUSTOM_A'] } });
    await world.do(maintain());
    await world.do(unmaintain());
    const both = (action: string): string[] => [`node.${action}.start`, `node.${action}.end`];
    const expected = [...both('update'), ...both('update'), ...both('maintenance_set'), ...both('maintenance_set')];
    expect(await types()).toEqual(expected);
    expect(dataOf('node.update.start')[0]).toMatchObject({ extra: { rack: 7 } });
    expect(dataOf('node.update.end')[1]).toMatchObject({ traits: ['CUSTOM_A'] });
    expect(dataOf('node.maintenance_set.start')[0]).toMatchObject({ maintenance: true });
    await world.do(removal());
    expect(await types()).toEqual(both('delete'));
    expect(told().map(({ publisher_id: id }) => id)).toEqual(Array(12).fill('ironic-api.conductor-1'));
  });

  it('tell of power changes asked for, and of those that fail', async () => {
    await publishing();
    await manageable(world);
    await types();
    await world.do(powerTo('power on'));
    expect(await types()).toEqual(['node.power_set.start', 'node.power_set.end']);
    expect(dataOf('node.power_set.start')[0]).toMatchObject({ to_power: 'power on', target_power_state: null });
    world.script.refuse('power', new Error('the BMC is gone'));
    await world.do(powerTo('rebooting'));
    expect(await types()).toEqual(['node.power_set.start', 'node.power_set.error ERROR']);
    expect(dataOf('node.power_set.error')[0]).toMatchObject({ to_power: 'rebooting' });
  });

  it('tell that verification found another power state than the recorded one', async () => {
    await publishing();
    world.script.play('read power', () => 'power on');
    world.script.play('verify', () => ({ powerState: 'power on' }));
    await manageable(world);
    await settled();
    expect(dataOf('node.power_state_corrected.success')).toMatchObject([{ from_power: null, power_state: 'power on' }]);
  });

  it('tell of the console', async () => {
    await publishing();
    await manageable(world);
    await types();
    await world.do({ type: 'Manage', uuid: NODE, act: { act: 'set console', enabled: true } });
    expect(await types()).toEqual(['node.console_set.start', 'node.console_set.end']);
    expect(dataOf('node.console_set.end')[0]).toMatchObject({ console_enabled: true });
  });

  it('tell of ports, of which the removal with their node is not', async () => {
    await publishing();
    await manageable(world);
    await types();
    const port = uuidOf(70);
    await world.do({
      type: 'CreateResource',
      kind: 'port',
      uuid: port,
      nodeUuid: NODE,
      minor: 82,
      fields: { address: '52:54:00:00:00:01' },
    });
    await world.do({
      type: 'PatchResource',
      kind: 'port',
      uuid: port,
      nodeUuid: NODE,
      minor: 82,
      patch: [replace('/extra', { a: 1 })],
    });
    const both = (action: string): string[] => [`port.${action}.start`, `port.${action}.end`];
    expect(await types()).toEqual([...both('create'), ...both('update')]);
    expect(dataOf('port.create.end')[0]).toMatchObject({ uuid: port, node_uuid: NODE, address: '52:54:00:00:00:01' });
    await world.do(removal());
    expect(await types()).toEqual(['node.delete.start', 'node.delete.end']);
  });

  const documents: readonly [
    Extract<Command, { type: 'CreateResource' }>['kind'],
    Readonly<Record<string, unknown>>,
  ][] = [
    ['chassis', { description: 'rack 7' }],
    ['portgroup', { node_uuid: NODE, name: 'bond' }],
    ['deploy_template', { name: 'CUSTOM_T', steps: [{ interface: 'bios', step: 's', args: {}, priority: 1 }] }],
    ['runbook', { name: 'CUSTOM_R', steps: [{ interface: 'bios', step: 's', args: { password: 'hush' }, order: 1 }] }],
    ['volume_connector', { node_uuid: NODE, type: 'iqn', connector_id: 'iqn.x' }],
    ['volume_target', { node_uuid: NODE, volume_type: 'iscsi', boot_index: 0, volume_id: 'v' }],
    ['inspection_rule', { actions: [{ op: 'log', args: { msg: 'x' } }] }],
    ['allocation', { resource_class: 'gold' }],
    ['port', { node_uuid: NODE, address: '52:54:00:00:00:02' }],
  ];
  it.each(documents)(
    'tell of a %s from its creation to its end, in the class of the contract',
    async (kind, fields) => {
      await publishing();
      await manageable(world);
      await types();
      const uuid = uuidOf(80);
      const nodeUuid = 'node_uuid' in fields ? NODE : null;
      const { node_uuid: _, ...rest } = fields;
      await world.do({
        type: 'CreateResource',
        kind,
        uuid,
        nodeUuid,
        fields: nodeUuid ? { ...rest } : rest,
        minor: 112,
      });
      await settled();
      await world.do({ type: 'RemoveResource', kind, uuid, nodeUuid });
      const object = kind.replace('_', '');
      expect(await types()).toEqual(
        ['create', 'delete'].flatMap((action) => [`${object}.${action}.start`, `${object}.${action}.end`]),
      );
      const last = told().at(-1)!;
      const name = last.payload['ironic_object.name'] as keyof typeof facts.payload_classes;
      const { version, fields: expected, never_null: never } = facts.payload_classes[name];
      const data = last.payload['ironic_object.data'];
      expect(last.payload['ironic_object.version']).toBe(version);
      expect(Object.keys(data).sort()).toEqual(expected);
      expect((never as string[]).filter((field) => data[field] === null)).toEqual([]);
      expect(JSON.stringify(told())).not.toContain('hush');
    },
  );

  it('do not tell of what refused requests, reads and the system itself do', async () => {
    await publishing();
    await waiting(world);
    await types();
    await world.ask(provision('inspect'));
    await world.ask({ type: 'ReadBootDevice', uuid: NODE });
    await world.do({ type: 'SetBootDevice', uuid: NODE, device: 'pxe', persistent: false });
    expect(await types()).toEqual([]);
  });

  it('go out once each, whoever stops and starts, at any message', async () => {
    const { memory } = world;
    await waiting(world);
    await world.do(provision('abort'));
    await publishing({ topics: ['one', 'two'] });
    const expected = [...broker.stored()];
    await publishers.pop()!.stop();
    expect(new Set(expected.map(({ position }) => position)).size).toBe(expected.length);
    for (let stopAt = 0; stopAt <= expected.length; stopAt += 1) {
      broker.clear();
      // As if a publisher had died with so many messages out.
      const before = broker.open(await memory.log.logId());
      await before.publishMany(expected.slice(0, stopAt), null);
      await publishing({ topics: ['one', 'two'] });
      expect(broker.stored()).toEqual(expected);
      await publishers.pop()!.stop();
    }
  });

  it('go out once each with two publishers at a time and a broker that is away', async () => {
    await publishing();
    await publishing();
    await manageable(world);
    broker.interrupt();
    await world.do(provision('inspect'));
    await world.clock.advanceBy(500);
    broker.restore();
    await world.clock.advanceBy(20_000);
    expect((await steps()).slice(0, 4)).toEqual([...verified, ...waits]);
    const ids = told().map(({ message_id: id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))).toBe(true);
  });

  it.each([
    ['error', ['node.provision_set.error ERROR']],
    ['warning', ['node.provision_set.error ERROR']],
    ['critical', []],
  ] as const)('below level %s are left out', async (least, expected) => {
    await waiting(world);
    await world.clock.advanceBy(1_800_000);
    await publishing({ least });
    expect(await types()).toEqual(expected);
  });

  it('go to every topic, under a subject by level', async () => {
    await waiting(world);
    await world.clock.advanceBy(1_800_000);
    await publishing({ least: 'error', topics: ['billing', TOPIC] });
    expect(broker.stored().map(({ subject }) => subject)).toEqual([
      `${PREFIX}.v1.ntf.billing.error`,
      `${PREFIX}.v1.ntf.${TOPIC}.error`,
    ]);
    expect(new Set(told().map(({ message_id: id }) => id)).size).toBe(1);
    expect(told()[0]?.timestamp).toBe('2026-11-30 08:30:00.000000');
  });

  it('leave out of a message what would make it too large', async () => {
    await publishing();
    await world.do(creation(NODE, { extra: { big: 'x'.repeat(300_000) }, description: 'small' }));
    await settled();
    expect(dataOf('node.create.end')[0]).toMatchObject({ extra: null, description: 'small' });
  });

  it('that a broker refuses are tried until it takes them, none is left out', async () => {
    let refuses = true;
    await publishing({}, (opened) => refusing(opened, () => refuses));
    await world.do(creation());
    await world.clock.advanceBy(1_000);
    expect(told()).toEqual([]);
    refuses = false;
    await world.clock.advanceBy(10_000);
    expect(await types()).toEqual(['node.create.start', 'node.create.end']);
  });
});

/** A stream whose broker refuses messages for a reason of its own, as long as it does. */
function refusing(opened: EventStream, refuses: () => boolean): EventStream {
  const refusal = { outcome: 'refused', reason: 'the disk is full' } as const;
  return {
    cursor: () => opened.cursor(),
    close: () => opened.close(),
    publish: async (event: PublishedEvent, after) => (refuses() ? refusal : opened.publish(event, after)),
    publishMany: async (events, after) =>
      refuses() && events.length > 0 ? { published: 0, failure: refusal } : opened.publishMany(events, after),
  };
}
