import { BrokerConnection } from '@lib/adapters/nats-connection';
import { subjects } from '@lib/contracts';

/** The stream of events that a demo leaves on a broker that goes on without it. A stream that is not there is fine. */
export async function removeTraces(natsUrl: string, prefix: string): Promise<void> {
  const broker = await BrokerConnection.open({ url: natsUrl, name: 'ferrolog demo' });
  try {
    const { streams } = await broker.nats.jetstreamManager();
    const ours = subjects.streamName(prefix);
    for await (const { config } of streams.list()) if (config.name === ours) await streams.delete(ours);
  } finally {
    await broker.close();
  }
}
