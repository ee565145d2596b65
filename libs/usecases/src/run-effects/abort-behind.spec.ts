import type { Command } from '@lib/contracts';
import {
  NODE,
  World,
  documentOf,
  endings,
  maintain,
  powerTo,
  provision,
  removal,
  uuidOf,
  waiting,
} from '../../../../test/world';
import type { Held } from '../../../../test/world';

const MAC = '52:54:00:00:00:01';
const port: Command = {
  type: 'CreateResource',
  kind: 'port',
  minor: 82,
  uuid: uuidOf(501),
  nodeUuid: NODE,
  fields: { address: MAC },
};
const post: Command = {
  type: 'ContinueInspection',
  uuid: uuidOf(900),
  askedNode: null,
  inventory: { interfaces: [{ name: 'eth0', mac_address: MAC }] },
  pluginData: {},
  tokenDigest: null,
};

/** What the inspector may be in the middle of while its node waits: being told to start, or being given data. */
const waysToHang: readonly (readonly ['start' | 'forward', (world: World) => Promise<Held>])[] = [
  [
    'start',
    async (world) => {
      const held = world.script.hold('start');
      await waiting(world);
      return held;
    },
  ],
  [
    'forward',
    async (world) => {
      await waiting(world);
      await world.do(port);
      const held = world.script.hold('forward');
      await world.do(post);
      return held;
    },
  ],
];

describe.each(waysToHang)('a node whose inspector does not answer its %s', (word, hang) => {
  let world: World;
  let held: Held;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
    held = await hang(world);
    expect(held.waiting()).toBe(1);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait', reservation: null });
  });
  afterEach(() => world.stop());

  it('is aborted all the same: the call is broken off, and the abort has its own time', async () => {
    const asked = world.send(provision('abort'));
    await world.clock.advanceBy(20_000);
    expect(asked.reply).toMatchObject({ ok: true });
    expect(await endings(world)).toEqual(['InspectionAborted']);
    expect(world.script.calls('abort')).toHaveLength(1);
  });

  it('is aborted at once where the call has lasted long', async () => {
    await world.clock.advanceBy(20_000);
    const asked = world.send(provision('abort'));
    await world.clock.advanceBy(1_000);
    expect(asked.reply).toMatchObject({ ok: true });
    expect(await endings(world)).toEqual(['InspectionAborted']);
  });

  it('is aborted after the call where that ends soon, so that the inspector hears of both in their order', async () => {
    const asked = world.send(provision('abort'));
    await world.clock.advanceBy(1_000);
    expect(world.script.calls('abort')).toEqual([]);
    held.answer({});
    await world.clock.advanceBy(0);
    expect(asked.reply).toMatchObject({ ok: true });
    expect(world.script.asked.map((one) => one.word).filter((one) => one === word || one === 'abort')).toEqual([
      word,
      'abort',
    ]);
  });

  it('shows what refuses the abort, and waits on', async () => {
    world.script.refuse('abort', new Error('the inspector is busy'));
    const asked = world.send(provision('abort'));
    await world.clock.advanceBy(20_000);
    expect(asked.reply).toMatchObject({ ok: false, code: 'PEER_FAILED' });
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect wait',
      last_error: 'Failed to abort inspection: the inspector is busy',
    });
  });

  it('can be removed, and what the call still says is nobody’s', async () => {
    await world.do(maintain());
    expect(await world.ask(removal())).toMatchObject({ ok: true });
    held.answer({});
    await world.clock.advanceBy(60_000);
    expect(await endings(world)).toEqual(['InspectionRemoved']);
  });

  it('has its power changed when the call is over', async () => {
    expect(await world.ask(powerTo('power off'))).toMatchObject({ ok: true });
    held.answer({});
    await world.clock.advanceBy(1_000);
    expect(await documentOf(world)).toMatchObject({ power_state: 'power off', provision_state: 'inspect wait' });
  });
});
