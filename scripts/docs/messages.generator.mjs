/** Everything that travels between services, from the declarations in libs/contracts. */
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const code = (text) => `\`${text}\``;

const page = ({ requests, events, stream, filter }) => `# Messages

Generated from \`libs/contracts\` by \`npm run docs\`; edit the declarations, not this page.

Services talk over NATS. Bodies are JSON in UTF-8. \`<prefix>\` is \`FERROLOG_BUS_PREFIX\`, \`baremetal\` unless set; the uuid
stands last, and names are not in subjects, since they may hold dots.

## Requests

One reply each, from one member of the queue group. Whoever takes longer says so: once a second an empty message with the
header \`Ferrolog-Parts: alive\` goes to the reply subject, and a requester that hears neither that nor the reply for five
seconds takes the other side for gone. What was not answered is sent again under its old \`commandId\`; the conductor
answers an id that it knows with the recorded outcome.

${table(['subject', 'queue group', 'what it asks'], requests)}

The inspector's replies are \`{"status": <HTTP status>, "body": <JSON body>}\`, as its REST API would answer. Deadlines are
answered with \`done\`, \`gone\`, \`held\` or \`early\`; any silence is asked again.

Each service answers \`<prefix>.v1.ready.<service>\` with \`{"ready": boolean, "missing": [...], "troubled"?: [...]}\`, which the api shows at
\`/ferrolog/v1/ready/<service>\`.

A conductor's process answers \`<prefix>.v1.alive.<conductor id>\` with one byte from its first moment to its last; a conductor that
starts under the same host name asks there whether its predecessor has ended.

Hints, \`<prefix>.v1.hint.<word>\`, are wake-ups that may be lost; nothing depends on them.

Versioned notifications have a stream of their own: [notifications.md](notifications.md).

## Events

Published after commit to the JetStream stream ${code(stream)}, which takes ${code(filter)} and nothing else. A listener
filters by concept: \`baremetal.v1.evt.inspection.>\`. The body and what a subscriber can rely on: [subscribing.md](subscribing.md).

${table(['type', 'subject', 'meaning'], events)}

## A durable consumer

The broker keeps the place of the subscriber \`my-inventory\`; what it prints is one event per line:

\`\`\`sh
NATS_URL=nats://127.0.0.1:4222 node docs/examples/subscriber.mjs my-inventory inspection
\`\`\`

[examples/subscriber.mjs](examples/subscriber.mjs) needs the package \`nats\` and nothing of ours, so it can be copied anywhere.
Inside this repository the same is a function, with types, a bookmark of your own and failed events tried again:

\`\`\`ts
import { subscribeEvents } from '@lib/client';

const subscription = await subscribeEvents({
  natsUrl: 'nats://127.0.0.1:4222',
  prefix: 'baremetal',
  durable: 'my-inventory',
  onEvent: async (event) => console.log(event.position, event.type, event.stream),
});
await subscription.stop();
\`\`\`
`;

function requestRows({ commandWords, subjects, CONDUCTOR_QUEUE, INSPECTOR_QUEUE, inspectorMeanings }) {
  const commands = Object.entries(commandWords).map(([type, [concept, word]]) => [
    code(subjects.command('<prefix>', concept, word, '<uuid>')),
    CONDUCTOR_QUEUE,
    type,
  ]);
  const deadline = [
    code(subjects.deadlineElapsed('<prefix>', '<uuid>')),
    CONDUCTOR_QUEUE,
    "a deadline's time has come",
  ];
  const inspector = Object.entries(inspectorMeanings).map(([word, meaning]) => [
    code(subjects.inspector('<prefix>', word)),
    INSPECTOR_QUEUE,
    meaning,
  ]);
  return [...commands, deadline, ...inspector];
}

export const files = (load) => {
  const contracts = load('@lib/contracts');
  const { eventMeanings, eventSubject, subjects } = contracts;
  const events = Object.entries(eventMeanings).map(([type, meaning]) => [
    code(type),
    code(eventSubject('<prefix>', 'any/<uuid>', type)),
    meaning,
  ]);
  const stream = subjects.streamName('baremetal');
  const filter = subjects.allEvents('baremetal');
  return { 'docs/messages.md': page({ requests: requestRows(contracts), events, stream, filter }) };
};
