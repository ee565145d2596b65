import { openMemoryLog } from '@lib/adapters/event-log-memory';
import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { ManualClock } from '@lib/testing/manual-clock';
import { standingOf, tellAlive } from './standing';
import type { Standing } from './standing';

const TIMEOUT_MS = 60_000;
const described = { conductorGroup: '', drivers: [], capabilities: '{}' };

describe('who is there when a conductor starts', () => {
  const clock = new ManualClock('2026-11-30T08:00:00Z');
  const hub = new MemoryBusHub(clock);
  let liveness = openMemoryLog({ schemas: [], clock }).liveness;
  beforeEach(() => {
    liveness = openMemoryLog({ schemas: [], clock }).liveness;
  });

  const row = (id: string, hostname: string, online: boolean, silentMs = 0) =>
    liveness.beat({ ...described, id, hostname, online, createdAt: 1000 }, clock.now() - silentMs);
  async function standing(hostname: string, soleWriter = false): Promise<Standing & { readonly ids: string[] }> {
    await row('me', hostname, false);
    const deps = { liveness, bus: hub.open(), prefix: 'p', clock, id: 'me', hostname, soleWriter };
    const asked = standingOf({ ...deps, heartbeatTimeoutMs: TIMEOUT_MS });
    await clock.advanceBy(1000);
    const found = await asked;
    return { ...found, ids: found.predecessors.map(({ id }) => id) };
  }

  it('nobody, at the first start', async () => {
    const now = clock.now();
    expect(await standing('a')).toMatchObject({ alone: true, ids: [], since: now });
  });

  it('one of the same host whose process is gone has a successor, however the name is spelt', async () => {
    await row('old', 'Node-A', true);
    expect(await standing('Node-A')).toMatchObject({ alone: true, ids: ['old'], since: 1000 });
    const now = clock.now();
    expect(await standing('node-a')).toMatchObject({ alone: true, ids: ['old'], since: now });
  });

  it('one of the same host that still answers keeps its place, and its work', async () => {
    await row('old', 'a', true);
    const alive = await tellAlive(hub.open(), 'p', 'old');
    expect(await standing('a')).toMatchObject({ alone: false, ids: [] });
    await alive.stop();
    expect(await standing('a')).toMatchObject({ alone: true, ids: ['old'] });
  });

  it('one of the same host that is stopped, but not gone, keeps it as well', async () => {
    await row('old', 'a', true, TIMEOUT_MS * 2);
    let goOn = (word: Uint8Array): void => void word;
    const standsStill = new Promise<Uint8Array>((resolve) => (goOn = resolve));
    const stopped = await hub.open().serve('p.v1.alive.old', 'old', () => standsStill, fail);
    expect(await standing('a')).toMatchObject({ alone: false, ids: [] });
    goOn(new Uint8Array([1]));
    await stopped.stop();
  });

  it('one of another host is there as long as its row says so, whether it answers or not', async () => {
    await row('other', 'b', true, TIMEOUT_MS - 1000);
    expect(await standing('a')).toMatchObject({ alone: false, ids: [] });
    await clock.advanceBy(5000);
    expect(await standing('a')).toMatchObject({ alone: true, ids: [] });
  });

  it('one of another host that is offline is there while it answers: it starts, or still stops', async () => {
    await row('other', 'b', false);
    const alive = await tellAlive(hub.open(), 'p', 'other');
    expect(await standing('a')).toMatchObject({ alone: false, ids: [] });
    await alive.stop();
    expect(await standing('a')).toMatchObject({ alone: true, ids: [] });
  });

  it('nobody else, over a log that only one process can write', async () => {
    await row('old', 'a', true);
    await row('other', 'b', true);
    const alive = await tellAlive(hub.open(), 'p', 'other');
    expect(await standing('a', true)).toMatchObject({ alone: true, ids: ['old', 'other'] });
    await alive.stop();
  });

  it('a bus that can not be asked proves nothing', async () => {
    await row('old', 'a', true);
    hub.interrupt();
    expect(await standing('a')).toMatchObject({ alone: false, ids: [] });
    hub.restore();
  });
});

function fail(error: unknown): never {
  throw error;
}
