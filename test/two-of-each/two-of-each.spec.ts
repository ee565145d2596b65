/** Two of each service on one log: nothing is lost, doubled or written late, whoever dies or stands still. */
import { randomUUID } from 'node:crypto';
import { subscribeEvents } from '@lib/client';
import type { EventMessage } from '@lib/contracts';
import { describeWithPostgres } from '@lib/testing/postgres';
import { expectSound } from '../field-reports/row';
import { macOf, ramdiskReport, until, type ShownEvent } from '../stack';
import { HEARTBEAT_TIMEOUT_S, Pair, type Conductor } from './pair';

jest.setTimeout(240_000);

const OTHER: Readonly<Record<Conductor, Conductor>> = { conductor: 'conductor-2', 'conductor-2': 'conductor' };
const ENDINGS = /^Inspection(Finished|Failed|TimedOut|Aborted|Removed)$/;
const DEADLINES = 200;
const PREFIX = 'baremetal';

const inParallel = async <T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  const left = items[Symbol.iterator]();
  const one = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: width }, one));
};

describeWithPostgres('two of each', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start();
  }, 240_000);
  afterAll(() => pair?.stop(), 60_000);

  const endings = (events: readonly ShownEvent[]) =>
    events.map(({ type }) => type).filter((type) => ENDINGS.test(type));
  const endingsOf = async (uuid: string) => endings(await pair.apis[0].events(uuid));
  const alive = async (host: string) => (await pair.conductors()).get(host)?.alive;
  const bothServe = () =>
    until('both conductors', async () => (await alive('conductor')) && (await alive('conductor-2')));

  it('apis: who sends each request to another one sees its own writes, and a retried creation makes one node', async () => {
    for (let round = 0; round < 10; round += 1) {
      const uuid = randomUUID();
      const name = `balanced-${round}`;
      const node = { uuid, name, driver: 'fake-hardware' };
      // A client that got no answer sends the same creation again, at once or later, and is sent elsewhere.
      const created = await Promise.all([0, 1].map(() => pair.send('POST', '/v1/nodes', node)));
      expect(created.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect((await pair.send('POST', '/v1/nodes', node)).status).toBe(409);
      expect((await pair.must(200, 'GET', `/v1/nodes/${name}`)).json).toMatchObject({
        uuid,
        provision_state: 'enroll',
      });
      await pair.must(200, 'PATCH', `/v1/nodes/${uuid}`, [{ op: 'add', path: '/extra/round', value: round }]);
      expect((await pair.must(200, 'GET', `/v1/nodes/${uuid}`)).json).toMatchObject({ extra: { round } });
      await pair.must(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'seen at once' });
      expect((await pair.must(200, 'GET', `/v1/nodes/${uuid}`)).json).toMatchObject({ maintenance: true });
      const events = await pair.next.events(uuid);
      expect(events.filter(({ type }) => type === 'NodeEnrolled')).toHaveLength(1);
      await pair.must(204, 'DELETE', `/v1/nodes/${uuid}`);
      expect((await pair.send('GET', `/v1/nodes/${uuid}`)).status).toBe(404);
    }
  });

  it('apis: a request with a key has one effect and one answer, whichever of them it is sent to, and when', async () => {
    const [first, second] = pair.apis;
    for (let round = 0; round < 5; round += 1) {
      const node = { driver: 'fake-hardware', extra: { keyed: round } };
      const headers = { 'Idempotency-Key': `two-of-each-${round}` };
      const send = (api = first, body: unknown = node) => api.send('POST', '/v1/nodes', body, undefined, headers);
      const together = await Promise.all([send(), send(second), send(), send(second)]);
      expect(together.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set(together.map(({ text }) => text)).size).toBe(1);
      const { uuid } = together[0]?.json as { uuid: string };
      expect((await pair.next.events(uuid)).filter(({ type }) => type === 'NodeEnrolled')).toHaveLength(1);
      expect((await send(second, { ...node, description: 'x' })).status).toBe(422);
      await pair.must(204, 'DELETE', `/v1/nodes/${uuid}`);
      expect((await send(second)).text).toBe(together[0]?.text);
    }
  });

  it('apis: one of the changes that have seen the same version is taken', async () => {
    const created = await pair.must(201, 'POST', '/v1/nodes', { driver: 'fake-hardware' });
    const { uuid } = created.json as { uuid: string };
    const headers = { 'If-Match': created.headers['etag'] ?? '' };
    const patched = await Promise.all(
      [0, 1, 2, 3].map((n) =>
        pair.next.send('PATCH', `/v1/nodes/${uuid}`, [{ op: 'add', path: '/extra/n', value: n }], undefined, headers),
      ),
    );
    expect(patched.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    await pair.must(204, 'DELETE', `/v1/nodes/${uuid}`);
  });

  it('conductors: both are listed under an id of their own; who stops gracefully says so, who is killed is found out', async () => {
    await bothServe();
    const [before] = await pair.rowsOf('conductor-2');
    await pair.stack.kill('conductor-2', 'SIGTERM');
    expect(pair.stack.exitOf('conductor-2')).toEqual({ code: 0, signal: null });
    expect(await pair.rowsOf('conductor-2')).toEqual([{ id: before?.['id'], online: '0' }]);
    const shown = await until('the news of the stop', async () => {
      const row = (await pair.conductors()).get('conductor-2');
      return row && !row.alive && row;
    });
    // Not because it was silent for too long.
    expect(Date.now() - Date.parse(shown.updated_at)).toBeLessThan(HEARTBEAT_TIMEOUT_S * 1000);
    expect(await alive('conductor')).toBe(true);
    await pair.stack.restart('conductor-2');
    await bothServe();
    const again = await pair.rowsOf('conductor-2');
    expect(again).toHaveLength(1);
    expect(again[0]?.['id']).not.toBe(before?.['id']);
  });

  it('CRS-03, CRS-04: what a killed conductor had begun is taken over after its lease, in maintenance as well', async () => {
    const uuids = await Promise.all([1, 2, 3, 4].map((n) => pair.manageable({ extra: { n } })));
    await Promise.all(uuids.map((uuid) => pair.inspect(uuid)));
    const holders = await pair.holders(uuids);
    for (const uuid of uuids.slice(0, 2)) {
      await pair.must(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'while its conductor dies' });
    }
    const victim = holders.get(uuids[0] ?? '') ?? 'conductor';
    await pair.stack.kill(victim, 'SIGKILL');
    const orphans = uuids.filter((uuid) => holders.get(uuid) === victim);
    for (const uuid of uuids) {
      const node = await pair.apis[0].state(uuid, 'manageable', { timeoutMs: 60_000 });
      expect(node).toMatchObject({ reservation: null, last_error: null });
      const events = await pair.next.events(uuid);
      expect(endings(events)).toEqual(['InspectionFinished']);
      const source = events.find(({ type }) => type === 'InspectionFinished')?.meta['source'];
      if (orphans.includes(uuid)) expect(source).toBe(`conductor/${OTHER[victim]}`);
    }
    await until('the news of the death', async () => (await alive(victim)) === false);
    // Nobody has told of it: the row is as the dead one left it.
    expect(await pair.rowsOf(victim)).toMatchObject([{ online: '1' }]);
    await pair.stack.restart(victim);
    await bothServe();
  });

  it('CRS-06: a conductor that was stopped beyond its lease writes nothing late, and goes on', async () => {
    const uuid = await pair.manageable({ name: 'stopped-conductor' });
    await pair.inspect(uuid);
    const [holder] = [...(await pair.holders([uuid])).values()] as [Conductor];
    await pair.stack.kill(holder, 'SIGSTOP');
    const taken = await until('the other conductor to take over', async () => {
      const [row] = await pair.query('SELECT claim, owner FROM effects WHERE stream_id = $1', [`node/${uuid}`]);
      return row && Number(row['claim']) > 1 && row;
    });
    const [heir] = await pair.rowsOf(OTHER[holder]);
    expect(taken['owner']).toBe(heir?.['id']);
    // Both are in the middle of the same inspection now.
    await pair.stack.kill(holder, 'SIGCONT');
    await pair.apis[0].state(uuid, 'manageable');
    await bothServe();
    const finished = (await pair.next.events(uuid)).filter(({ type }) => ENDINGS.test(type));
    expect(finished.map(({ type, meta }) => [type, meta['source']])).toEqual([
      ['InspectionFinished', `conductor/${OTHER[holder]}`],
    ]);
    // It serves on: sooner or later it is the one that a request comes to.
    await until('an answer of the one that was stopped', async () => {
      const node = (await pair.must(201, 'POST', '/v1/nodes', { driver: 'fake-hardware' })).json as { uuid: string };
      return (await pair.next.events(node.uuid))[0]?.meta['source'] === `conductor/${holder}`;
    });
  });

  it(`schedulers: ${DEADLINES} deadlines due at once end by one timeout each, one scheduler killed meanwhile`, async () => {
    const numbers = Array.from({ length: DEADLINES }, (_, n) => n);
    const wait = { driver_info: { inspect_wait_timeout: 1 } };
    const fields = { inspect_interface: 'agent', resource_class: 'deadlines', ...wait };
    const uuids: string[] = [];
    await inParallel(numbers, 16, async () => uuids.push(await pair.managed(fields)));
    const inState = async (state: string): Promise<number> => {
      const path = `/v1/nodes?resource_class=deadlines&provision_state=${encodeURIComponent(state)}&fields=uuid&limit=1000`;
      return ((await pair.must(200, 'GET', path)).json as { nodes: unknown[] }).nodes.length;
    };
    const all = (state: string) =>
      until(`all in "${state}"`, async () => (await inState(state)) === DEADLINES, { timeoutMs: 90_000, everyMs: 200 });
    await all('manageable');
    await pair.stack.kill('scheduler', 'SIGSTOP');
    await pair.stack.kill('scheduler-2', 'SIGSTOP');
    await inParallel(uuids, 16, (uuid) => pair.inspect(uuid));
    await all('inspect wait');
    await until('all deadlines to be due', async () => {
      const [row] = await pair.query("SELECT count(*) AS due FROM deadlines WHERE status = 'open' AND due <= $1", [
        Date.now(),
      ]);
      return Number(row?.['due']) === DEADLINES;
    });
    await pair.stack.kill('scheduler', 'SIGCONT');
    await pair.stack.kill('scheduler-2', 'SIGCONT');
    await pair.stack.kill('scheduler-2', 'SIGKILL');
    await all('inspect failed');
    await pair.stack.restart('scheduler-2');
    const counted = await pair.query(
      `SELECT type, count(*) AS events, count(DISTINCT stream_id) AS nodes FROM events
        WHERE stream_id = ANY($1) AND type ~ $2 GROUP BY type`,
      [uuids.map((uuid) => `node/${uuid}`), ENDINGS.source],
    );
    expect(counted).toEqual([{ type: 'InspectionTimedOut', events: String(DEADLINES), nodes: String(DEADLINES) }]);
  });

  it('CRS-12: a database that goes away and comes back costs no conductor its place, and the work its single ending', async () => {
    const uuid = await pair.manageable({ name: 'short-outage' });
    await pair.inspect(uuid);
    await pair.holders([uuid]);
    const before = [...(await pair.rowsOf('conductor')), ...(await pair.rowsOf('conductor-2'))];
    await pair.server.kill();
    await pair.server.restart();
    await pair.apis[0].state(uuid, 'manageable');
    expect(await endingsOf(uuid)).toEqual(['InspectionFinished']);
    // The same processes as before, without a restart.
    expect([...(await pair.rowsOf('conductor')), ...(await pair.rowsOf('conductor-2'))]).toEqual(before);
    await bothServe();
  });

  it('CRS-14: everything stops at once in the middle of an inspection; a late callback and the first deadline count', async () => {
    const late = await pair.manageable({ inspect_interface: 'agent' });
    const timeout = { driver_info: { inspect_wait_timeout: 6 } };
    const silent = await pair.manageable({ inspect_interface: 'agent', ...timeout });
    await pair.must(201, 'POST', '/v1/ports', { node_uuid: late, address: macOf(14) });
    for (const uuid of [late, silent]) {
      await pair.inspect(uuid);
      await pair.apis[0].state(uuid, 'inspect wait');
    }
    const everything = ['conductor', 'conductor-2', 'scheduler', 'scheduler-2', 'api', 'api-2'] as const;
    await Promise.all(everything.map((instance) => pair.stack.kill(instance, 'SIGKILL')));
    await Promise.all([pair.broker.kill(), pair.server.kill()]);
    await Promise.all([pair.broker.restart(), pair.server.restart()]);
    await pair.stack.restart(...everything);
    await pair.insist(202, 'POST', `/v1/continue_inspection?node_uuid=${late}`, ramdiskReport(macOf(14)));
    await pair.apis[0].state(late, 'manageable');
    await pair.apis[1].state(silent, 'inspect failed');
    expect(await endingsOf(late)).toEqual(['InspectionFinished']);
    const events = await pair.next.events(silent);
    const dueOf = (type: string) =>
      (events.find((event) => event.type === type)?.data['deadline'] as { due: number }).due;
    expect(endings(events)).toEqual(['InspectionTimedOut']);
    expect(dueOf('InspectionTimedOut')).toBe(dueOf('InspectionWaiting'));
    await bothServe();
  });

  it('CRS-15: without the broker reads go on and changes answer 503; afterwards all events come, in order', async () => {
    const uuid = await pair.manageable({ name: 'no-broker' });
    await pair.broker.kill();
    const refused = await until('a refusal', async () => {
      const answer = await pair.send('PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'nobody hears this' });
      return answer.status === 503 && answer;
    });
    expect(refused.text).toMatch(/nothing happened|unknown/i);
    await pair.must(200, 'GET', `/v1/nodes/${uuid}`);
    await pair.must(200, 'GET', '/v1/nodes');
    await pair.broker.restart();
    await pair.insist(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'heard again' });
    const head = await pair.log.reader.head();
    const heard: number[] = [];
    const onEvent = ({ position }: EventMessage): void => void heard.push(position);
    const subscription = await subscribeEvents({
      natsUrl: pair.broker.url,
      prefix: PREFIX,
      durable: 'crs-15',
      onEvent,
    });
    await until('all events', () => (heard.at(-1) ?? 0) >= head);
    await subscription.stop();
    expect(heard.slice(0, head)).toEqual(Array.from({ length: head }, (_, index) => index + 1));
  });

  it('CRS-07: a conductor that comes back under another spelling of its host name takes its place', async () => {
    const uuid = await pair.manageable({ name: 'renamed-conductor' });
    await pair.inspect(uuid);
    const [holder] = [...(await pair.holders([uuid])).values()] as [Conductor];
    await pair.stack.kill(holder, 'SIGKILL');
    const renamed = holder.toUpperCase();
    pair.stack.configure(holder, { DEFAULT: { host: renamed } });
    await pair.stack.restart(holder);
    const node = await pair.apis[0].state(uuid, 'manageable');
    expect(node).toMatchObject({ reservation: null, last_error: null });
    expect(await endingsOf(uuid)).toEqual(['InspectionFinished']);
    const hosts = [...(await pair.conductors()).keys()];
    expect(hosts).toEqual(expect.arrayContaining([renamed, OTHER[holder]]));
    expect(hosts).not.toContain(holder);
  });

  it('with on_restart = fail, what is taken over fails and says so', async () => {
    for (const conductor of ['conductor', 'conductor-2'] as const) {
      await pair.stack.kill(conductor, 'SIGTERM');
      pair.stack.configure(conductor, { conductor: { on_restart: 'fail' } });
      await pair.stack.restart(conductor);
    }
    await bothServe();
    const uuid = await pair.manageable({ name: 'not-resumed' });
    await pair.inspect(uuid);
    const [holder] = [...(await pair.holders([uuid])).values()] as [Conductor];
    await pair.stack.kill(holder, 'SIGKILL');
    const failed = await pair.apis[0].state(uuid, 'inspect failed');
    expect(failed).toMatchObject({ reservation: null, last_error: expect.stringContaining('conductor take over') });
    const { json } = await pair.must(200, 'GET', `/v1/nodes/${uuid}/history?detail=true`);
    expect((json as { history: unknown[] }).history).toMatchObject([
      { event_type: 'takeover', conductor: OTHER[holder], severity: 'ERROR' },
    ]);
    expect(await endingsOf(uuid)).toEqual(['InspectionFailed']);
  });

  it('leaves a log that is sound, and never answered 500', async () => {
    const { reader: log, derived } = pair.log;
    await expectSound({ log, derived }, pair.statuses);
  });
});
