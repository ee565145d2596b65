#!/usr/bin/env node
/**
 * Follows ferrolog's events and prints each as one line of JSON. It may be stopped, killed and started again, and so may
 * the broker: it goes on behind the last event that it acknowledged.
 *
 *   NATS_URL=nats://127.0.0.1:4222 node docs/examples/subscriber.mjs NAME [CONCEPT]
 *
 * NAME is this subscriber's own, the broker remembers its place under it; CONCEPT (inspection, power ...) narrows the events.
 */
import { AckPolicy, connect, DeliverPolicy, nanos } from 'nats';

const [name, concept] = process.argv.slice(2);
if (!name) {
  process.stderr.write('usage: subscriber.mjs NAME [CONCEPT]\n');
  process.exit(2);
}
const prefix = process.env.FERROLOG_BUS_PREFIX ?? 'baremetal';
const stream = `${prefix.replace(/[^A-Za-z0-9_-]/g, '_')}_v1_evt`;

// Whoever read our lines has gone (`| head`); what is not acknowledged comes again.
process.stdout.on('error', () => process.exit(0));

const patience = setTimeout(
  () => process.stderr.write('no broker answers; waiting for one. Is NATS_URL right?\n'),
  2_000,
);
const connection = await connect({
  servers: process.env.NATS_URL ?? 'nats://127.0.0.1:4222',
  maxReconnectAttempts: -1,
  waitOnFirstConnect: true,
});
clearTimeout(patience);
const manager = await connection.jetstreamManager();
const known = await manager.streams.info(stream).catch((error) => error);
if (known instanceof Error) {
  process.stderr.write(
    `no stream ${stream}: ${known.message}; is FERROLOG_BUS_PREFIX right, and did a conductor run?\n`,
  );
  process.exit(1);
}
await manager.consumers.add(stream, {
  durable_name: name,
  filter_subject: concept ? `${prefix}.v1.evt.${concept}.>` : `${prefix}.v1.evt.>`,
  deliver_policy: DeliverPolicy.All,
  ack_policy: AckPolicy.Explicit,
  // One at a time: an event that has to be delivered again does not come behind its successors.
  max_ack_pending: 1,
  // How long a crash of ours delays the event that it left unacknowledged.
  ack_wait: nanos(5_000),
});

const consumer = await connection.jetstream().consumers.get(stream, name);
const messages = await consumer.consume({ expires: 4_000 });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void messages.close());

let done = 0;
for await (const message of messages) {
  const event = message.json();
  // An acknowledgement can be lost: then the event comes once more, and its position says so.
  if (event.position > done) {
    await new Promise((written) => process.stdout.write(`${JSON.stringify(event)}\n`, written));
    done = event.position;
  }
  message.ack();
}
await connection.drain();
