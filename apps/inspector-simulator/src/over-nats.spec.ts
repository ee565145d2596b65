import { NatsMessageBus } from '@lib/adapters/message-bus-nats';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import { decode, encode, type InspectorReply, type InspectorWord, subjects } from '@lib/contracts';
import { natsServerPath, startBroker } from '@lib/testing';
import { FakeBareMetalHttp } from '../../../test/inspector/fake-bare-metal-http';
import { quiet } from '../../../test/inspector/world';
import { startInspectorSimulator } from './index';

const NODE = '11111111-2222-4333-8444-555555555555';
const MAC = '52:54:00:12:34:46';
// The broker is a Debian package; where it is missing the same words are still proven over the in-process bus.
const overNats = natsServerPath() === null ? describe.skip : describe;

overNats('the inspector over NATS, by the system’s clock', () => {
  it('starts, lets the ramdisk post, and hands the data of a large machine over', async () => {
    const broker = await startBroker();
    const api = await new FakeBareMetalHttp().open();
    const extra = { simulator: { script: 'succeed', after: 0.05, inventory: 'large' } };
    api.addNode(NODE, 'n.1', MAC, { extra });
    const [bus, asker] = await Promise.all([1, 2].map(() => NatsMessageBus.connect({ url: broker.url, name: 'spec' })));
    const settings = { host: '127.0.0.1', port: 0, apiUrl: api.url, prefix: 'nats-spec' };
    const deps = { settings, bus: bus!, clock: systemClock, chance: systemChance, logger: quiet };
    const simulator = await startInspectorSimulator(deps);
    const ask = async (word: InspectorWord): Promise<InspectorReply> =>
      decode(await asker!.request(subjects.inspector('nats-spec', word), encode({ node: NODE }), { timeoutMs: 5000 }));
    try {
      expect((await ask('abort')).status).toBe(404);
      expect((await ask('start')).status).toBe(202);
      for (let tries = 0; tries < 500; tries += 1) {
        if (((await ask('status')).body as { finished: boolean }).finished) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect((await ask('status')).body).toMatchObject({ state: 'finished', error: null });
      const { body } = await ask('data');
      expect((body as { inventory: { interfaces: unknown[] } }).inventory.interfaces).toHaveLength(34);
      expect(api.nodes.get(NODE)).toMatchObject({ power_state: 'power off', properties: { cpus: '384' } });
    } finally {
      await simulator.stop();
      await Promise.all([bus!.close(), asker!.close()]);
      await api.close();
      await broker.stop();
    }
  });
});
