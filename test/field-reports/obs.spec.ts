/** Reports on what can be seen: events of everything, error texts, request ids, views that follow. */
import { MemoryEventStreamBroker } from '@lib/adapters/event-stream-memory';
import type { Command } from '@lib/contracts';
import { EventPublisher } from '@lib/usecases/publish-events';
import { Bed } from '../gates/bed';
import { requests } from '../gates/endpoints';
import { makeThings } from '../gates/things';
import { NODE, PREFIX, World, maintain, patch, powerTo, unmaintain, manageable, replace, uuidOf } from '../world';
import { Whole } from '../whole';
import { expectSoundEnd } from './row';

jest.setTimeout(180_000);

it('OBS-01: a new inspection shows nothing of the old error, from its first moment to its end', async () => {
  const whole = await Whole.start();
  try {
    const api = await whole.api();
    const uuid = await api.waiting({ inspect: 'inspector' });
    await api.provision(uuid, 'abort');
    expect((await api.node(uuid)).last_error).toMatch(/aborted/);
    const held = whole.script.hold('inspect');
    const samples: unknown[] = [];
    const look = async () =>
      samples.push(
        (await api.node(uuid)).last_error,
        (await api.must(200, 'GET', `/v1/nodes/${uuid}/states`)).body.last_error,
      );
    await api.inspect(uuid);
    await look();
    expect(await api.state(uuid)).toBe('inspecting');
    held.answer({ returned: 'INSPECTWAIT', manageBoot: false });
    await whole.settle();
    await look();
    await whole.pass(60_000);
    await look();
    expect(await api.state(uuid)).toBe('inspect wait');
    expect(samples).toEqual(Array(6).fill(null));
    await api.provision(uuid, 'abort');
    expect((await api.node(uuid)).last_error).toMatch(/aborted/);
  } finally {
    await expectSoundEnd(whole);
  }
});

it('OBS-04: of 1000 accepted commands a subscriber hears each, without a hole in any sequence', async () => {
  const world = new World();
  const broker = new MemoryEventStreamBroker();
  const { memory, clock, logger } = world;
  const publisher = new EventPublisher({
    log: memory.log,
    stream: broker.open(await memory.log.logId()),
    clock,
    logger,
    prefix: PREFIX,
  });
  publisher.start();
  try {
    await world.conductor();
    const uuids = [1, 2, 3, 4, 5].map(uuidOf);
    for (const uuid of uuids) await manageable(world, uuid);
    let seed = 4711;
    const draw = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    const maintained = new Set<string>();
    const next = (number: number): Command => {
      const uuid = uuids[draw(uuids.length)] ?? NODE;
      const which = draw(4);
      if (which === 0) return patch([replace('/extra', { number })], uuid);
      if (which === 1) return powerTo(draw(2) ? 'power on' : 'power off', uuid);
      if (which === 2) return { type: 'ChangeTraits', of: 'node', uuid, change: { set: [`CUSTOM_${number}`] } };
      return maintained.delete(uuid) ? unmaintain(uuid) : (maintained.add(uuid), maintain(uuid));
    };
    const accepted: string[] = [];
    for (let number = 0; number < 1000;) {
      const sent = Array.from({ length: 25 }, () => world.send(next(number), { commandId: `command-${number++}` }));
      for (let turn = 0; turn < 100 && sent.some(({ reply }) => reply === null); turn += 1) await clock.advanceBy(50);
      accepted.push(...sent.filter(({ reply }) => reply?.ok).map(({ commandId }) => commandId));
    }
    const head = await memory.log.head();
    for (let turn = 0; turn < 1000 && publisher.position() !== head; turn += 1) await clock.advanceBy(10);
    const heard = broker.stored().map(
      ({ body }) =>
        JSON.parse(Buffer.from(body).toString()) as {
          position: number;
          stream: string;
          version: number;
          meta: { commandId: string };
        },
    );
    expect(heard.map(({ position }) => position)).toEqual(Array.from({ length: head }, (_, index) => index + 1));
    for (const uuid of uuids) {
      const versions = heard.filter(({ stream }) => stream === `node/${uuid}`).map(({ version }) => version);
      expect(versions).toEqual(versions.map((_, index) => index + 1));
    }
    const told = new Set(heard.map(({ meta }) => meta.commandId));
    // Who waits too long behind others for a node that is held is refused.
    expect(accepted.length).toBeGreaterThan(900);
    expect(accepted.filter((commandId) => !told.has(commandId))).toEqual([]);
  } finally {
    await publisher.stop();
    await world.stop();
  }
});

/** Requests that change nothing that is kept, each with its reason. */
const unkept: Readonly<Record<string, string>> = {
  '* /v1/nodes/{ident}/vendor_passthru/{method}': 'no method is kept; the machine is asked',
  '* /v1/drivers/{name}/vendor_passthru/{method}': 'drivers have no methods',
  'POST /v1/nodes/{ident}/vifs': 'the network interface noop keeps none',
  'DELETE /v1/nodes/{ident}/vifs/{vif}': 'the network interface noop keeps none',
  'POST /v1/events': 'events of the network concern nobody here',
  'POST /v1/heartbeat/{ident}': 'asked with a wrong address here; CBK-06 has those that are kept',
  'DELETE /v1/nodes/{ident}/maintenance': 'asked of a node that is in none here; OBS-04 has those that are kept',
  'PUT /v1/nodes/{ident}/management/indicators/{name}@{component}': 'asked of an indicator that is not there',
  'DELETE /v1/nodes/{ident}/traits': 'asked of a node without traits here; its neighbour below takes one away',
};

/** Where what the table of gates sends is what is there already. */
const bodies: Readonly<Record<string, unknown>> = {
  'PUT /v1/nodes/{ident}/states/raid': { logical_disks: [{ size_gb: 100, raid_level: '1' }] },
};

describe('OBS-05: every request that changes something leaves an event', () => {
  let bed: Bed;
  let things: Awaited<ReturnType<typeof makeThings>>;
  beforeAll(async () => {
    bed = await Bed.start();
    things = await makeThings(bed);
  }, 120_000);
  afterAll(() => bed?.stop());

  const changing = Object.entries(requests).filter(([name]) => !name.startsWith('GET ') && !(name in unkept));

  it('there are many, and none is left out without a reason', () => {
    expect(changing.length).toBeGreaterThan(40);
    expect(Object.keys(unkept).filter((name) => !(name in requests))).toEqual([]);
  });

  it.each(changing)('%s', async (name, asking) => {
    const { path, body } = await asking(bed, things);
    const before = await bed.head();
    const { status, text } = await bed.ask(name.slice(0, name.indexOf(' ')), path, undefined, bodies[name] ?? body);
    expect([name, status < 300, status < 300 ? '' : text]).toEqual([name, true, '']);
    expect(await bed.head()).toBeGreaterThan(before);
  });
});

it('OBS-06: a node that was just made is managed and inspected at once, each time through another api', async () => {
  const whole = await Whole.start();
  try {
    await whole.conductor();
    const apis = [await whole.api(), await whole.api(), await whole.api()];
    for (let run = 0; run < 10; run += 1) {
      const [first, second, third] = [0, 1, 2].map((which) => apis[(run + which) % 3]!) as [
        (typeof apis)[0],
        (typeof apis)[0],
        (typeof apis)[0],
      ];
      const made = await first.send('POST', '/v1/nodes', { driver: 'fake-hardware', inspect_interface: 'inspector' });
      const { uuid } = made.body as { uuid: string };
      expect([made.status, (await second.provision(uuid, 'manage')).status]).toEqual([201, 202]);
      expect((await third.provision(uuid, 'inspect')).status).toBe(202);
      expect(await first.state(uuid)).toBe('inspect wait');
    }
  } finally {
    await expectSoundEnd(whole);
  }
});

it('OBS-07: while nothing is heard of a machine its events say that it was powered on, where it was told to call, and no contact', async () => {
  const whole = await Whole.start();
  try {
    const api = await whole.api();
    whole.script.play('inspect', (_asked, call) => {
      call.noticed?.({ powerState: 'power on', changed: true, bootDevice: null });
      const callbackUrl = 'http://user:secret@192.0.2.1:6385/v1/continue_inspection';
      return { returned: 'INSPECTWAIT', manageBoot: true, callbackUrl };
    });
    const uuid = await api.waiting({ mac: '52:54:00:00:00:01' });
    await whole.pass(60_000);
    const { type, data } = (await api.events(uuid)).at(-1) ?? { type: '', data: {} };
    expect([type, data]).toMatchObject([
      'InspectionWaiting',
      {
        machine: { powerState: 'power on', changed: true },
        callbackUrl: 'http://192.0.2.1:6385/v1/continue_inspection',
      },
    ]);
    await api.lookup(uuid);
    expect((await api.events(uuid)).at(-1)?.type).toBe('AgentLookedUp');
  } finally {
    await expectSoundEnd(whole);
  }
});

it('OBS-08: views follow a change of nothing but maintenance, or power, before any time passes', async () => {
  const whole = await Whole.start();
  try {
    const [writes, reads] = [await whole.api(), await whole.api()];
    const uuid = await writes.machine({ inspect: 'inspector' });
    const from = whole.clock.now();
    const listed = async (query: string): Promise<boolean> => {
      const { body } = await reads.must(200, 'GET', `/v1/nodes?${query}`);
      return (body as { nodes: { uuid: string }[] }).nodes.some((node) => node.uuid === uuid);
    };
    for (const [method, inMaintenance] of [
      ['PUT', true],
      ['DELETE', false],
    ] as const) {
      await writes.must(202, method, `/v1/nodes/${uuid}/maintenance`);
      expect((await reads.node(uuid)).maintenance).toBe(inMaintenance);
      expect([await listed('maintenance=true'), await listed('maintenance=false')]).toEqual([
        inMaintenance,
        !inMaintenance,
      ]);
    }
    for (const state of ['power on', 'power off']) {
      await writes.power(uuid, state);
      expect((await reads.node(uuid)).power_state).toBe(state);
      expect((await reads.must(200, 'GET', `/v1/nodes/${uuid}/states`)).body.power_state).toBe(state);
    }
    expect(whole.clock.now()).toBe(from);
  } finally {
    await expectSoundEnd(whole);
  }
});

it('OBS-10: the id of a request, and the one that it has where it comes from, are in its events, what subscribers hear, and the logs of api and conductor', async () => {
  const whole = await Whole.start({ keepsLines: true });
  try {
    const api = await whole.api();
    await whole.publisher();
    const uuid = await api.machine({ inspect: 'inspector' });
    const lines = whole.lines.length;
    const foreign = 'req-6f1a2b54-0000-4000-8000-00000000f0f0';
    const response = await fetch(`${api.url}/v1/nodes/${uuid}/states/provision`, {
      method: 'PUT',
      headers: {
        'X-OpenStack-Ironic-API-Version': '1.115',
        'Content-Type': 'application/json',
        'X-OpenStack-Request-ID': foreign,
      },
      body: JSON.stringify({ target: 'inspect' }),
    });
    expect(response.status).toBe(202);
    const id = response.headers.get('x-openstack-request-id') ?? '';
    expect(id).toMatch(/^req-[0-9a-f-]{36}$/);
    expect(JSON.stringify([...response.headers])).not.toContain(foreign);
    await whole.pass(1_000);
    const { body } = await api.must(200, 'GET', `/ferrolog/v1/nodes/${uuid}/events`);
    const { events } = body as { events: { type: string; meta: object }[] };
    const started = events.find(({ type }) => type === 'InspectionStarted');
    expect(started?.meta).toMatchObject({ requestId: id, globalRequestId: foreign });
    const heard = whole.stream.stored().map((message) => Buffer.from(message.body).toString());
    const told = whole.lines.slice(lines).map(({ text, fields }) => [text, JSON.stringify(fields)] as const);
    for (const one of [id, foreign]) {
      expect(heard.filter((text) => text.includes('"InspectionStarted"') && text.includes(one))).toHaveLength(1);
      const said = told.filter(([, fields]) => fields.includes(one)).map(([text]) => text);
      // The line of the api, and that of the conductor.
      expect(said).toEqual(expect.arrayContaining(['request', 'InspectionStarted']));
    }
  } finally {
    await expectSoundEnd(whole);
  }
});
