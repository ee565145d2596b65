import { aMessageBus, startBroker } from '@lib/testing';
import { NatsMessageBus } from './index';

const KIB = 1024;

aMessageBus('NATS', async () => {
  const broker = await startBroker();
  return {
    bus: () => NatsMessageBus.connect({ url: broker.url, name: 'test' }),
    // Half of max_payload is the largest whole body and the size of a part; 4 parts are pulled at first.
    edgesBytes: [512 * KIB, 1024 * KIB, 4 * 512 * KIB, 5 * 512 * KIB],
    close: () => broker.stop(),
  };
});
