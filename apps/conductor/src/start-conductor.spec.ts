import { secretBox, transportBox } from '@lib/adapters/secret-box';
import { commandWords, decode, encode, readSettings, subjects } from '@lib/contracts';
import type { Command, RawValue, Reply } from '@lib/contracts';
import {
  MemoryCertificates,
  MemoryLogShelf,
  NODE,
  PREFIX,
  World,
  creation,
  documentOf,
  endings,
  eventData,
  maintain,
  provision,
  unmaintain,
} from '../../../test/world';
import { startConductor } from '.';
import type { Conductor } from '.';

const option = (section: string, name: string, text: string): RawValue => ({ section, name, text, source: 'spec' });
const masterKey = new Uint8Array(32).fill(7);

describe('a running conductor', () => {
  let world: World;
  let conductor: Conductor;
  let commands: number;

  async function start(rest: { soleWriter?: boolean; host?: string; settings?: RawValue[] } = {}): Promise<Conductor> {
    const { settings } = readSettings(
      [
        option('DEFAULT', 'host', rest.host ?? 'conductor-1'),
        option('DEFAULT', 'enabled_hardware_types', 'fake-hardware,manual-management'),
        option('conductor', 'inspect_wait_timeout', '1800'),
        ...(rest.settings ?? []),
      ],
      { hostname: 'here' },
    );
    const { log, readModel, leases, liveness, keyStore } = world.memory;
    const { bus, hardware, clock, chance, logger } = world;
    return startConductor({
      settings,
      prefix: PREFIX,
      bus,
      log,
      readModel,
      leases,
      liveness,
      box: secretBox({ masterKey, keys: keyStore, chance }),
      transport: transportBox(masterKey, chance),
      hardware,
      certificates: new MemoryCertificates(),
      logShelf: new MemoryLogShelf(),
      clock,
      chance,
      logger,
      soleWriter: rest.soleWriter ?? true,
    });
  }

  /** Ends it while time goes on. */
  async function stopped(one: Conductor): Promise<void> {
    let ended = false;
    const stopping = one.stop().finally(() => (ended = true));
    for (let seconds = 0; !ended && seconds < 120; seconds += 1) await world.clock.advanceBy(1000);
    expect(ended).toBe(true);
    await stopping;
  }

  function request(command: Command, commandId = `c${++commands}`): Promise<Reply> {
    const [concept, word] = commandWords[command.type];
    const subject = subjects.command(PREFIX, concept, word, command.uuid);
    const envelope = { commandId, requestId: 'req-1', actor: null, command };
    return world.bus.request(subject, encode(envelope), { timeoutMs: 60_000 }).then((body) => decode<Reply>(body));
  }
  async function ask(command: Command): Promise<Reply> {
    const reply = request(command);
    await world.settle();
    return reply;
  }
  async function waits(fields: object = {}): Promise<void> {
    for (const command of [creation(NODE, { ...fields }), provision('manage'), provision('inspect')]) {
      expect(await ask(command)).toEqual({ ok: true, result: {} });
    }
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
  }

  beforeEach(async () => {
    world = new World();
    commands = 0;
    conductor = await start();
  });
  afterEach(async () => {
    await stopped(conductor);
    await world.stop();
  });

  it('answers commands over the bus, and refusals as codes', async () => {
    expect(await ask(creation())).toEqual({ ok: true, result: {} });
    expect(await ask(provision('inspect'))).toMatchObject({ ok: false, code: 'INVALID_STATE' });
    expect(await ask(creation('aaaaaaaa-0000-4000-8000-000000000009', { driver: 'redfish' }))).toMatchObject({
      code: 'NO_VALID_HOST',
    });
  });

  it('takes a command again after its reply was lost', async () => {
    world.hub.interrupt();
    await expect(request(creation(), 'same')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    world.hub.restore();
    const lost = request(creation(), 'same').catch(() => null);
    await Promise.resolve();
    world.hub.interrupt();
    await world.settle();
    world.hub.restore();
    await world.clock.advanceBy(60_000);
    await lost;
    const again = request(creation(), 'same');
    await world.settle();
    expect(await again).toEqual({ ok: true, result: {} });
    expect(await eventData(world, 'NodeEnrolled')).toHaveLength(1);
  });

  it('survives what is no message', async () => {
    const subject = subjects.command(PREFIX, 'node', 'create', NODE);
    for (const body of ['no json', 'null', '{}', '{"command":{"type":"Nonsense","uuid":"x"},"commandId":"x"}']) {
      const asked = world.bus.request(subject, Buffer.from(body), { timeoutMs: 1000 }).then(decode<Reply>, () => null);
      await world.clock.advanceBy(1000);
      expect((await asked)?.ok ?? false).toBe(false);
    }
    expect(await ask(creation())).toEqual({ ok: true, result: {} });
  });

  it('wakes the scheduler for a deadline that comes before its next look', async () => {
    await world.scheduler();
    await world.clock.advanceBy(100);
    await waits({ driver_info: { inspect_wait_timeout: 0.25 } });
    const [{ at }] = (await eventData(world, 'InspectionStarted')) as [{ at: number }];
    await world.clock.advanceBy(900);
    expect((await eventData(world, 'InspectionTimedOut')).map((data) => data['at'])).toEqual([at + 250]);
  });

  it('wakes the scheduler for an overdue deadline that is open again', async () => {
    await world.scheduler();
    await waits({ driver_info: { inspect_wait_timeout: 5 } });
    expect(await ask(maintain())).toMatchObject({ ok: true });
    await world.clock.advanceBy(7300);
    expect(await ask(unmaintain())).toMatchObject({ ok: true });
    expect(await endings(world)).toEqual(['InspectionTimedOut']);
  });

  it('wakes the scheduler after a refused abort', async () => {
    await world.scheduler();
    await waits({ driver_info: { inspect_wait_timeout: 5 } });
    const peer = world.script.hold('abort');
    const reply = request(provision('abort'));
    await world.clock.advanceBy(7300);
    expect(await endings(world)).toEqual([]);
    peer.refuse(new Error('no'));
    await world.settle();
    expect(await reply).toMatchObject({ code: 'PEER_FAILED' });
    expect(await endings(world)).toEqual(['InspectionTimedOut']);
  });

  it('does not answer a scheduler of another log', async () => {
    const elapsed = { logId: 'another', stream: `node/${NODE}`, n: 1, attempt: 1, due: 0 };
    const asked = world.bus.request(subjects.deadlineElapsed(PREFIX, NODE), encode(elapsed), { timeoutMs: 1000 });
    const ended = expect(asked).rejects.toMatchObject({ code: 'TIMEOUT' });
    await world.clock.advanceBy(1000);
    await ended;
  });

  it('shows signs of life, and says at its stop that it is gone', async () => {
    const rows = () => world.memory.liveness.conductors();
    const [first] = await rows();
    expect(first).toMatchObject({
      hostname: 'conductor-1',
      online: true,
      drivers: ['fake-hardware', 'manual-management'],
    });
    expect(JSON.parse(first?.capabilities ?? '{}')).toHaveProperty('interfaces.fake-hardware.inspect.default', 'fake');
    world.memory.store.fault = 'disk full';
    await world.clock.advanceBy(30_000);
    world.memory.store.fault = null;
    expect((await rows())[0]?.updatedAt).toBe(first?.updatedAt);
    await world.clock.advanceBy(10_000);
    expect((await rows())[0]?.updatedAt).toBeGreaterThan(first?.updatedAt ?? Infinity);
    await stopped(conductor);
    expect(await rows()).toMatchObject([{ hostname: 'conductor-1', online: false }]);
    conductor = await start();
    expect(await rows()).toMatchObject([{ hostname: 'conductor-1', online: true }]);
  });

  it('answers at its stop what it has begun, and takes nothing new', async () => {
    await waits();
    const peer = world.script.hold('abort');
    const reply = request(provision('abort'));
    await world.settle();
    const stopping = conductor.stop();
    await world.settle();
    await expect(request(provision('abort'))).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
    peer.answer();
    await world.clock.advanceBy(1000);
    await stopping;
    expect(await reply).toEqual({ ok: true, result: {} });
    conductor = await start();
  });

  it('goes on at once with the work of a dead predecessor, as the only writer', async () => {
    await ask(creation(NODE, { inspect_interface: 'fake' }));
    await ask(provision('manage'));
    world.script.hold('inspect');
    await ask(provision('inspect'));
    world.script.obey('inspect');
    const heir = await start();
    await world.settle();
    expect(await endings(world)).toEqual(['InspectionFinished']);
    await stopped(heir);
  });

  it('CRS-08: recovers before it takes a request or says that it serves, and touches no lock taken afterwards', async () => {
    const fail = [option('conductor', 'on_restart', 'fail')];
    await ask(creation(NODE, { inspect_interface: 'fake' }));
    await ask(provision('manage'));
    world.script.hold('inspect');
    await ask(provision('inspect'));
    await stopped(conductor);

    const { readModel } = world.memory;
    const list = readModel.list.bind(readModel);
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    const slow = jest.spyOn(readModel, 'list').mockImplementation(async (query) => (await held, list(query)));
    const starting = start({ settings: fail });
    await world.clock.advanceBy(5000);
    await expect(request(provision('inspect'))).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
    expect((await world.memory.liveness.conductors()).map(({ online }) => online)).toEqual([false]);
    slow.mockRestore();
    go();
    conductor = await starting;
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      reservation: null,
      last_error: expect.stringMatching(
        /inspecting state can't be resumed by conductor conductor-1.*restart/,
      ) as string,
    });
    expect(await world.memory.liveness.conductors()).toMatchObject([{ hostname: 'conductor-1', online: true }]);

    expect(await ask(provision('inspect'))).toMatchObject({ ok: true });
    await world.clock.advanceBy(60_000);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspecting', reservation: 'conductor-1' });
    world.script.obey('inspect');
  });

  it('leaves a predecessor that was killed in the list until it serves itself', async () => {
    const { liveness, readModel } = world.memory;
    const online = async () => (await liveness.conductors()).filter((row) => row.online).map(({ id }) => id);
    const [killed] = await online();
    const list = readModel.list.bind(readModel);
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    const slow = jest.spyOn(readModel, 'list').mockImplementation(async (query) => (await held, list(query)));
    const starting = start();
    await world.settle();
    expect(await online()).toEqual([killed]);
    slow.mockRestore();
    go();
    const heir = await starting;
    const serving = await online();
    expect(serving).toHaveLength(1);
    expect(serving).not.toEqual([killed]);
    await stopped(heir);
  });

  it('goes on at once with what a dead conductor of another host had begun, as the only writer', async () => {
    await ask(creation(NODE, { inspect_interface: 'fake' }));
    await ask(provision('manage'));
    world.script.hold('inspect');
    await ask(provision('inspect'));
    world.script.obey('inspect');
    const heir = await start({ host: 'elsewhere' });
    await world.settle();
    expect(await endings(world)).toEqual(['InspectionFinished']);
    expect((await world.memory.liveness.conductors()).map(({ hostname }) => hostname)).toEqual(['elsewhere']);
    await stopped(heir);
  });

  it('is offline from the first moment of its stop, while its work still goes on', async () => {
    await ask(creation(NODE, { inspect_interface: 'fake' }));
    await ask(provision('manage'));
    const work = world.script.hold('inspect');
    await ask(provision('inspect'));
    const stopping = conductor.stop();
    await world.settle();
    expect(await world.memory.liveness.conductors()).toMatchObject([{ online: false }]);
    work.answer({ returned: 'MANAGEABLE' });
    await world.clock.advanceBy(1000);
    await stopping;
    expect(await endings(world)).toEqual(['InspectionFinished']);
    conductor = await start();
  });

  it('logs each event with its node, attempt and request', async () => {
    await waits();
    const lines = world.records.filter(({ text }) => text === 'InspectionStarted');
    expect(lines.map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ node: NODE, attempt: 1, requestId: 'req-1', state: 'inspecting' }),
    ]);
  });
});
