import { createServer } from 'node:net';
import { BusError } from '@lib/ports';
import { type Broker, startBroker } from '@lib/testing';
import { BrokerConnection } from './index';

/** A port on which nobody listens: taken and given back just now. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('BrokerConnection', () => {
  let broker: Broker;
  beforeAll(async () => {
    broker = await startBroker({ user: 'conductor', password: 's3cret', maxPayloadBytes: 100_000 });
  });
  afterAll(() => broker.stop());
  const url = (password: string): string => `nats://conductor:${password}@127.0.0.1:${broker.port}`;

  it('says in one sentence that no broker answers, naming the address without its credentials', async () => {
    const port = await deadPort();
    const opening = BrokerConnection.open({
      url: `nats://u:s3cret@127.0.0.1:${port}`,
      name: 'test',
      connectTimeoutMs: 300,
    });
    await expect(opening).rejects.toThrow(
      `no broker answers at nats://***@127.0.0.1:${port} (tried for 0.3 s): connection refused`,
    );
  });

  it('says at once that the broker refuses our credentials', async () => {
    const opening = BrokerConnection.open({ url: url('wrong'), name: 'test', connectTimeoutMs: 60_000 });
    await expect(opening).rejects.toThrow(`the broker at nats://***@127.0.0.1:${broker.port} refuses our credentials`);
  });

  it('waits for a broker that comes up later', async () => {
    await broker.kill();
    const opening = BrokerConnection.open({ url: url('s3cret'), name: 'test', connectTimeoutMs: 20_000 });
    await broker.restart();
    const connection = await opening;
    expect(connection.connected()).toBe(true);
    expect(connection.maxPayloadBytes()).toBe(100_000);
    await connection.close();
    expect(connection.connected()).toBe(false);
  });

  it('notices a loss, and comes back by itself', async () => {
    const connection = await BrokerConnection.open({ url: url('s3cret'), name: 'test' });
    try {
      expect(() => connection.assertConnected()).not.toThrow();
      await broker.kill();
      await until(() => !connection.connected());
      expect(() => connection.assertConnected()).toThrow(BusError);
      expect(connection.losses()).toBe(1);
      expect(connection.maxPayloadBytes()).toBe(100_000);
      await connection.flush();
      await broker.restart();
      await until(() => connection.connected());
      await connection.flush();
    } finally {
      await connection.close();
    }
  });
});
