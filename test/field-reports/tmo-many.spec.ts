/** Reports on many timeouts at once, on both databases. */
import { LogUnavailable } from '@lib/ports';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { Whole, inPostgres, inSqlite, type Client, type OpenStore } from '../whole';
import { AppendFault } from './faults';
import { expectSoundEnd } from './row';

/** More than the scheduler asks for at once; MASS_TIMEOUT_NODES=500 is what the report had. */
const NODES = Number(process.env['MASS_TIMEOUT_NODES'] ?? 270);
const PATIENCE_MS = 240_000;
const CLIENTS = 32;
const TIMEOUT_S = 10;

/** Several clients at once, each with the next of the things to do. */
async function shared<T, R>(things: readonly T[], work: (thing: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let at = next++; at < things.length; at = next++) results[at] = await work(things[at]!);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return results;
}

/** Machines that wait. */
async function waiting(api: Client, whole: Whole): Promise<string[]> {
  const node = { driver: 'fake-hardware', inspect_interface: 'agent' };
  const enrolled = await shared(Array.from({ length: NODES }), () => api.send('POST', '/v1/nodes', node));
  const uuids = enrolled.map(({ body }) => (body as { uuid: string }).uuid);
  for (const [target, state] of [
    ['manage', 'manageable'],
    ['inspect', 'inspect wait'],
  ] as const) {
    await shared(uuids, (uuid) => api.send('PUT', `/v1/nodes/${uuid}/states/provision`, { target }));
    await whole.until(`all to be ${state}`, async () => (await inState(api, state)) === NODES, 0, 100);
  }
  return uuids;
}

async function inState(api: Client, state: string): Promise<number> {
  const { body } = await api.send(
    'GET',
    `/v1/nodes?provision_state=${encodeURIComponent(state)}&fields=uuid&limit=1000`,
  );
  return (body as { nodes: unknown[] }).nodes.length;
}

async function massTimeout(store: OpenStore): Promise<void> {
  const fault = new AppendFault();
  const settings = { conductor: { inspect_wait_timeout: TIMEOUT_S } };
  const whole = await Whole.start({ store, settings, faulty: fault.of });
  try {
    const api = await whole.api();
    const uuids = await waiting(api, whole);
    const waitFrom = whole.clock.now();
    const bad = uuids[7]!;
    fault.check = ({ writes }) => {
      if (writes.some(({ stream }) => stream === `node/${bad}`)) throw new LogUnavailable('a bad sector');
    };
    await whole.pass(TIMEOUT_S * 1000 - 1);
    expect(await inState(api, 'inspect wait')).toBe(NODES);
    await whole.pass(1);
    // One look of the scheduler ends them all, and no time is needed for it. They can be read meanwhile.
    whole.look();
    const failed = () => inState(api, 'inspect failed');
    await whole.until('all but the bad one to fail', async () => (await failed()) === NODES - 1, 0, 100);
    expect(whole.clock.now() - waitFrom).toBe(TIMEOUT_S * 1000);
    expect(await api.state(bad)).toBe('inspect wait');
    expect(fault.refused).toBeGreaterThan(0);
    fault.check = null;
    await whole.until('the bad one as well', async () => (await failed()) === NODES, 250, 100);
    const events = await Promise.all(uuids.slice(0, 20).map((uuid) => api.endings(uuid)));
    expect(events).toEqual(events.map(() => ['InspectionTimedOut']));
    expect(whole.statuses.filter((status) => status >= 400)).toEqual([]);
  } finally {
    // Which has looked at the endings of all.
    await expectSoundEnd(whole);
  }
}

it(
  'TMO-10: hundreds of nodes time out at once in SQLite, and a bad one stops nobody',
  () => massTimeout(inSqlite),
  PATIENCE_MS,
);

describeWithPostgres('in PostgreSQL', () => {
  let server: ScratchPostgres;
  beforeAll(async () => void (server = await startPostgres()), 60_000);
  afterAll(() => server.stop());

  it(
    'TMO-10: hundreds of nodes time out at once in PostgreSQL, and a bad one stops nobody',
    () => massTimeout(inPostgres(server)),
    PATIENCE_MS,
  );
});
