/** Versioned notifications of the stack as processes, read from its broker by somebody who knows nothing of ferrolog. */
import { startBroker, type Broker } from '@lib/testing';
import { AckPolicy, connect, type NatsConnection } from 'nats';
import { Api, enroll, inspect, inspectorWaits, macOf, startStack, until, type Stack } from '../stack';

jest.setTimeout(180_000);

interface Heard {
  readonly subject: string;
  readonly priority: string;
  readonly event_type: string;
  readonly publisher_id: string;
  readonly message_id: string;
  readonly payload: { readonly 'ironic_object.data': Readonly<Record<string, unknown>> };
}

const TOPIC = 'ironic_versioned_notifications';

describe('the stack with notification_level = info', () => {
  let broker: Broker;
  let nats: NatsConnection;
  let stack: Stack;
  let api: Api;

  beforeAll(async () => {
    broker = await startBroker();
    nats = await connect({ servers: broker.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
    stack = await startStack({
      natsUrl: broker.url,
      settings: {
        DEFAULT: {
          enabled_inspect_interfaces: 'inspector, fake, no-inspect',
          notification_level: 'info',
          host: 'rack-7',
        },
        inspector: { status_check_period: '1', require_managed_boot: 'false' },
      },
    });
    api = new Api(stack.apiUrl);
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    await nats?.close();
    await broker?.stop();
  }, 60_000);

  /** Everything in the stream, in order. */
  async function heard(): Promise<Heard[]> {
    const manager = await nats.jetstreamManager();
    const { state } = await manager.streams.info('baremetal_v1_ntf');
    const { name } = await manager.consumers.add('baremetal_v1_ntf', {
      ack_policy: AckPolicy.None,
      inactive_threshold: 5e9,
    });
    const consumer = await nats.jetstream().consumers.get('baremetal_v1_ntf', name);
    const found: Heard[] = [];
    while (found.length < state.messages) {
      const page = await consumer.fetch({ max_messages: state.messages - found.length, expires: 1_000 });
      for await (const message of page)
        found.push({ subject: message.subject, ...message.json<Omit<Heard, 'subject'>>() });
    }
    return found;
  }

  /** Changes of the node's state as `<event> <status> <level>`. */
  const stepsOf = async (uuid: string): Promise<string[]> =>
    (await heard())
      .filter(
        ({ event_type: type, payload }) => /provision_set/.test(type) && payload['ironic_object.data']['uuid'] === uuid,
      )
      .map(
        (one) =>
          `${String(one.payload['ironic_object.data']['event'])} ${one.event_type.split('.').at(-1)} ${one.priority}`,
      );

  const stepsUntil = (uuid: string, last: string): Promise<string[]> =>
    until(`"${last}"`, async () => {
      const steps = await stepsOf(uuid);
      return steps.at(-1) === last ? steps : undefined;
    });

  const verified = ['manage start INFO', 'done end INFO'];
  const waits = ['inspect start INFO', 'wait success INFO'];

  it('tells of an inspection that is aborted, also across a conductor that is killed: each step once', async () => {
    const uuid = await enroll(api, { mac: macOf(1), inspectWaitTimeout: 0 });
    await inspect(api, uuid);
    await inspectorWaits(stack.inspectorUrl, uuid);
    await stack.kill('conductor', 'SIGKILL');
    await stack.restart('conductor');
    await until('the abort', async () => {
      const { status } = await api.provision(uuid, 'abort');
      return status === 202 ? true : undefined;
    });
    expect(await stepsUntil(uuid, 'abort end INFO')).toEqual([...verified, ...waits, 'abort end INFO']);
    const all = await heard();
    expect(new Set(all.map(({ message_id: id }) => id)).size).toBe(all.length);
    const ends = all.filter(({ event_type: type }) => type === 'baremetal.node.provision_set.end').at(-1);
    expect(ends).toMatchObject({ subject: `baremetal.v1.ntf.${TOPIC}.info`, publisher_id: 'ironic-conductor.rack-7' });
    expect(all[0]).toMatchObject({ event_type: 'baremetal.node.create.start', publisher_id: 'ironic-api.rack-7' });
  });

  it('tells of one that times out as an error, under the subject of errors', async () => {
    const uuid = await enroll(api, { mac: macOf(2), inspectWaitTimeout: 2 });
    await inspect(api, uuid);
    expect(await stepsUntil(uuid, 'fail error ERROR')).toEqual([...verified, ...waits, 'fail error ERROR']);
    const errors = (await heard()).filter(({ priority }) => priority === 'ERROR');
    expect(errors.map(({ subject }) => subject)).toContain(`baremetal.v1.ntf.${TOPIC}.error`);
    expect(errors.at(-1)?.payload['ironic_object.data']['last_error']).toMatch(/timeout reached/i);
  });
});
