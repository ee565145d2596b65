/** Reports on a real stack over SQLite: its log and its broker's store on disks of a few MiB. */
import { randomBytes } from 'node:crypto';
import { openSqliteReader, sqlitePath } from '@lib/adapters/event-log-typeorm';
import { subscribeEvents, type EventSubscription } from '@lib/client';
import { documentSchemas as schemas, type EventMessage } from '@lib/contracts';
import { startBroker, type Broker } from '@lib/testing';
import { Api, enroll, ensureBuilt, inspect, macOf, startStack, until, type Answer, type Stack } from '../stack';
import { expectSound, wholeLog } from './row';
import { smallDisk } from './sql-small-disk';

jest.setTimeout(180_000);

const PREFIX = 'small';
const ROUNDS = 2;

const disks = [smallDisk(64), smallDisk(10)];
const [logDisk, brokerDisk] = disks;
const onSmallDisk = logDisk && brokerDisk ? it : it.skip;

let broker: Broker;
let stack: Stack;
let api: Api;
let subscription: EventSubscription;
let over = false;
let following: Promise<void>;
const heard: EventMessage[] = [];
const statuses: number[] = [];

const follow = async (): Promise<EventSubscription> => {
  const last = heard.at(-1);
  const after = last && { logId: last.logId, position: last.position };
  const onEvent = (event: EventMessage): void => void heard.push(event);
  return subscribeEvents({ natsUrl: broker.url, prefix: PREFIX, durable: 'reader', onEvent, ...(after && { after }) });
};

/** Subscribes anew where the broker no longer knows the subscriber. */
async function followOn(): Promise<void> {
  for (;;) {
    await subscription.ended.catch(() => undefined);
    if (over) return;
    subscription = await until('the subscription', follow, { timeoutMs: 60_000 });
  }
}

const start = (): Promise<Stack> =>
  startStack({
    busPrefix: PREFIX,
    natsUrl: broker.url,
    ...(logDisk ? { homesFolder: logDisk.folder } : {}),
    settings: {
      DEFAULT: { enabled_inspect_interfaces: 'agent,inspector,fake,no-inspect' },
      inspector: { require_managed_boot: 'False' },
    },
  });

beforeAll(async () => {
  ensureBuilt();
  broker = await startBroker(brokerDisk ? { storeFolder: `${brokerDisk.folder}/store` } : {});
  stack = await start();
  api = new Api(stack.apiUrl);
  subscription = await until('the subscription', follow);
  following = followOn();
}, 600_000);
afterAll(async () => {
  over = true;
  await subscription?.stop();
  await following;
  await stack?.stop();
  await broker?.stop();
  for (const disk of disks) disk?.remove();
}, 120_000);

const send = async (...args: Parameters<Api['send']>): Promise<Answer> => {
  const answer = await api.send(...args);
  statuses.push(answer.status);
  return answer;
};

async function machines(first: number, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, i) => first + i);
  return Promise.all(numbers.map((number) => enroll(api, { mac: macOf(number), inspectWaitTimeout: 0 })));
}

async function inspectedAndAborted(uuid: string): Promise<void> {
  await inspect(api, uuid);
  expect((await send('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' })).status).toBe(202);
  await api.state(uuid, 'inspect failed');
}

/** Every event of the log, in its order, once. */
async function expectAllHeard(): Promise<void> {
  const reader = await openSqliteReader({ path: sqlitePath(stack.home), schemas, waitMs: 0 });
  try {
    const head = await reader.reader.head();
    await until(`event ${head}`, () => (heard.at(-1)?.position ?? 0) >= head, { timeoutMs: 60_000 });
    const positions = (await wholeLog(reader.reader)).map(({ position }) => position);
    expect(heard.map(({ position }) => position).slice(0, positions.length)).toEqual(positions);
  } finally {
    await reader.close();
  }
}

/** A server whose disk was full has switched its JetStream off: it is started again, and may have lost stream and consumer. */
async function brokerFreed(): Promise<void> {
  brokerDisk?.free();
  await broker.kill();
  await broker.restart();
}

async function expectSoundLog(): Promise<void> {
  const { reader: log, derived, close } = await openSqliteReader({ path: sqlitePath(stack.home), schemas, waitMs: 0 });
  try {
    await expectSound({ log, derived }, statuses);
  } finally {
    await close();
  }
}

it('SQL-04: a hundred machines are inspected at once while clients read, and nobody meets a lock', async () => {
  const uuids = await machines(1, 100);
  const codes = new Set<number>();
  let read = false;
  const readers = Array.from({ length: 4 }, async (_, reader) => {
    for (let at = reader; !read; at++) codes.add((await send('GET', `/v1/nodes/${uuids[at % 100]}`)).status);
  });
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      uuids.map(async (uuid) => {
        for (const target of ['inspect', 'abort', 'manage']) {
          codes.add((await send('PUT', `/v1/nodes/${uuid}/states/provision`, { target })).status);
        }
      }),
    );
  }
  read = true;
  await Promise.all(readers);
  expect([...codes].filter((code) => code >= 500)).toEqual([]);
  await expectSoundLog();
});

it('NAT-07: a second inspection right after the first was aborted reaches subscribers as its own', async () => {
  const [uuid = ''] = await machines(201, 1);
  await inspectedAndAborted(uuid);
  await inspect(api, uuid);
  const own = () => heard.filter(({ stream, type }) => stream === `node/${uuid}` && type === 'InspectionStarted');
  await until('both starts', () => own().length === 2);
  expect(own().map(({ data }) => data?.['attempt'])).toEqual([1, 2]);
});

onSmallDisk(
  'NAT-10: a broker whose disk is full keeps nobody from working, and misses nothing in the end',
  async () => {
    const uuids = await machines(210, 10);
    await expectAllHeard();
    const before = heard.length;
    brokerDisk?.fill();
    for (let round = 0; round < 5; round++) {
      await Promise.all(uuids.map(inspectedAndAborted));
      await Promise.all(
        uuids.map((uuid) => api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' })),
      );
    }
    await brokerFreed();
    await expectAllHeard();
    const starts = heard.slice(before).filter(({ type }) => type === 'InspectionStarted');
    expect(starts).toHaveLength(50);
  },
);

onSmallDisk(
  'EVS-05: what was stored and not published when the conductor was killed is heard after its restart',
  async () => {
    const [uuid = ''] = await machines(202, 1);
    await expectAllHeard();
    const told = () =>
      heard.filter(({ stream, type }) => stream === `node/${uuid}` && type === 'MaintenanceSet').length;
    brokerDisk?.fill();
    // What is left in the last blocks of the broker's files.
    for (let i = 0; i < 10; i++) {
      const note = [{ op: 'add', path: '/extra/note', value: `${i}`.repeat(1_500) }];
      await api.must(200, 'PATCH', `/v1/nodes/${uuid}`, note);
    }
    expect((await send('PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'a fan' })).status).toBe(202);
    await stack.kill('conductor', 'SIGKILL');
    expect(told()).toBe(0);
    await brokerFreed();
    await stack.restart('conductor');
    await expectAllHeard();
    expect(told()).toBe(1);
  },
);

onSmallDisk('SQL-10: a full disk is answered 503, reads go on, and nothing is half written', async () => {
  const mac = macOf(220);
  const uuid = await enroll(api, { mac, inspectWaitTimeout: 0 });
  await api.must(200, 'PATCH', `/v1/nodes/${uuid}`, [{ op: 'replace', path: '/inspect_interface', value: 'agent' }]);
  await inspect(api, uuid);
  // More than the file has room for inside it, and nothing that a compression makes small.
  const memory = { total: 1, noise: randomBytes(5 * 2 ** 20).toString('base64') };
  const inventory = {
    interfaces: [{ name: 'eth0', mac_address: mac }],
    cpu: { architecture: 'x86_64' },
    memory,
    bmc_address: null,
  };
  const data = () => send('POST', '/v1/continue_inspection', { inventory });
  const before = await api.events(uuid);
  logDisk?.fill();
  const refused = await data();
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('nothing happened')]);
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'inspect wait' });
  expect(await api.events(uuid)).toEqual(before);
  logDisk?.free();
  expect((await data()).status).toBe(202);
  await api.state(uuid, 'manageable');
  await expectSoundLog();
  await expectAllHeard();
});
