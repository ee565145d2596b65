/** The subscriber of docs/subscribing.md against a real broker: killed, the broker killed, nothing lost, doubled or out of order. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Broker, startBroker } from '@lib/testing';
import { connect, headers, type JetStreamClient, type NatsConnection } from 'nats';
import { repositoryRoot } from './repository-root';

const prefix = 'site-one';
const subject = (concept: string) => `${prefix}.v1.evt.${concept}.started.1be26c0b-03f2-4d2e-ae87-c02d7f33c123`;

let broker: Broker;
let connection: NatsConnection;
let jetstream: JetStreamClient;
const subscribers: ChildProcess[] = [];

beforeEach(async () => {
  broker = await startBroker();
  connection = await connect({ servers: broker.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  jetstream = connection.jetstream();
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: 'site-one_v1_evt', subjects: [`${prefix}.v1.evt.>`] });
});

afterEach(async () => {
  for (const child of subscribers.splice(0)) await end(child, 'SIGKILL');
  await connection.close();
  await broker.stop();
});

async function publish(from: number, to: number, concept = 'inspection'): Promise<void> {
  for (let position = from; position <= to; position++) {
    const id = headers();
    id.set('Nats-Msg-Id', `log:${position}`);
    await jetstream.publish(subject(concept), JSON.stringify({ logId: 'log', position }), { headers: id });
  }
}

/** Starts the example; `positions` grows with what it prints. */
function subscribe(...args: string[]) {
  const env = { ...process.env, NATS_URL: broker.url, FERROLOG_BUS_PREFIX: prefix };
  const child = spawn(process.execPath, ['docs/examples/subscriber.mjs', ...args], { cwd: repositoryRoot, env });
  subscribers.push(child);
  const positions: number[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    positions.push(...lines.map((line) => (JSON.parse(line) as { position: number }).position));
  });
  return { child, positions };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'close');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(20);
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

test('reads what was there before it, and only the concept it asked for', async () => {
  await publish(1, 5);
  await publish(6, 6, 'power');
  await publish(7, 7);
  const { child, positions } = subscribe('reader', 'inspection');
  await until(() => positions.length === 6);
  expect(positions).toEqual([1, 2, 3, 4, 5, 7]);
  expect(await end(child, 'SIGTERM')).toBe(0);
}, 60_000);

test('killed and started again it goes on behind its last acknowledgement', async () => {
  await publish(1, 20);
  const first = subscribe('reader');
  await until(() => first.positions.length >= 10);
  await end(first.child, 'SIGKILL');
  await publish(21, 30);
  const second = subscribe('reader');
  await until(() => second.positions.at(-1) === 30);
  // The one event that it had printed and not yet acknowledged may come again.
  expect(second.positions[0]).toBeGreaterThanOrEqual(first.positions.at(-1)!);
  expect([...new Set([...first.positions, ...second.positions])]).toEqual(upTo(30));
}, 120_000);

test('survives a broker that is killed and comes back', async () => {
  await publish(1, 10);
  const { child, positions } = subscribe('reader');
  await until(() => positions.length === 10);
  await broker.kill();
  await broker.restart();
  await until(() => !connection.isClosed() && connection.info !== undefined);
  await connection.flush();
  await publish(11, 20);
  await until(() => positions.at(-1) === 20);
  expect(positions).toEqual(upTo(20));
  expect(await end(child, 'SIGTERM')).toBe(0);
}, 120_000);

test('without a name it says how it is used', async () => {
  const { child } = subscribe();
  await once(child, 'close');
  expect(child.exitCode).toBe(2);
}, 60_000);

test('ends when nobody reads its lines, and acknowledges none that was not written', async () => {
  await publish(1, 20);
  const first = subscribe('reader');
  await until(() => first.positions.length > 0);
  first.child.stdout.destroy();
  await once(first.child, 'close');
  expect(first.child.exitCode).toBe(0);
  const second = subscribe('reader');
  await until(() => second.positions.at(-1) === 20);
  // A pipe takes what nobody reads, so that some may be lost behind the last one that was read.
  expect(second.positions).toEqual(upTo(20).slice(-second.positions.length));
}, 60_000);

test('without a broker it says what it waits for', async () => {
  await broker.kill();
  const { child } = subscribe('reader');
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  await until(() => said.includes('\n'));
  expect(said).toBe('no broker answers; waiting for one. Is NATS_URL right?\n');
}, 60_000);

test('without a stream it says so in one line', async () => {
  await (await connection.jetstreamManager()).streams.delete('site-one_v1_evt');
  const { child } = subscribe('reader');
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  await once(child, 'close');
  expect(said).toMatch(/^no stream \S+: stream not found; .*\n$/);
  expect(child.exitCode).toBe(1);
}, 60_000);
