import type { BareMetal } from '../bare-metal';
import { eventLines } from '../events';
import { allEvents } from '../node-events';
import { counted, painter, plainText, spanText, type Terminal } from '../screen';
import { boardLines } from './board';
import type { DemoStack } from './stack';
import type { WatchedNode } from './watched-node';

export const isAsScripted = (node: WatchedNode): boolean => node.differences?.length === 0;

/** The demo as one JSON document. */
export const reportDocument = (nodes: readonly WatchedNode[], stack: DemoStack, tookMs: number): object => ({
  ok: nodes.every(isAsScripted),
  seconds: Math.round(tookMs) / 1000,
  single: stack.single,
  api: stack.apiUrl,
  inspector: stack.inspectorUrl,
  nats: stack.natsUrl,
  nodes: nodes.map((node) => ({
    name: node.planned.label,
    uuid: node.uuid,
    script: node.planned.script.script,
    ending: node.planned.expected.ending,
    expected: node.planned.expected,
    got: node.settled?.got ?? null,
    abort: node.abortAnswer,
    callbacks: node.callbacks.map(({ status, detail }) => ({ status, detail })),
    differences: node.differences ?? ['it has not ended'],
    as_scripted: isAsScripted(node),
  })),
});

/** What is told at the end: the endings counted, and what differs. */
export function summaryLines(
  nodes: readonly WatchedNode[],
  startedMs: number,
  tookMs: number,
  terminal: Terminal,
): string[] {
  const paint = painter(terminal.colour);
  const counts = new Map<string, number>();
  for (const { planned } of nodes.filter(isAsScripted)) {
    counts.set(planned.expected.ending, (counts.get(planned.expected.ending) ?? 0) + 1);
  }
  const wrong = nodes.filter((node) => !isAsScripted(node));
  const endings = [...counts].map(([ending, count]) => `${count} ${ending}`).join(', ');
  return [
    ...(terminal.live
      ? []
      : [
          '',
          ...boardLines(nodes, startedMs, startedMs, { paint, width: terminal.width(), overflow: 'wrap' }).slice(0, -2),
        ]),
    '',
    wrong.length === 0
      ? paint(
          'green',
          `${nodes.length === 1 ? 'The node' : `All ${nodes.length} nodes`} ended as scripted in ${spanText(tookMs)}: ${endings}.`,
        )
      : paint('red', `${wrong.length} of ${counted(nodes.length, 'node')} did not end as scripted:`),
    ...wrong.map((node) =>
      plainText(`  ${node.planned.label}: ${(node.differences ?? ['it has not ended']).join('; ')}`),
    ),
  ];
}

/** The node with the most to tell: one whose late data came after its ending, else any. */
export function storyOf(nodes: readonly WatchedNode[]): WatchedNode | undefined {
  const told = nodes.filter(({ uuid }) => uuid !== null);
  const late = told.find(({ planned }) => planned.script.script === 'late' && planned.expected.ending === 'aborted');
  return late ?? told.find(({ planned }) => planned.expected.ending === 'timed out') ?? told[0];
}

export async function historyLines(api: BareMetal, node: WatchedNode, terminal: Terminal): Promise<string[]> {
  const paint = painter(terminal.colour);
  const events = await allEvents(api, node.uuid ?? '');
  return [
    '',
    paint('bold', `What the log says of ${plainText(node.planned.label)}:`),
    ...eventLines(events, { paint, width: terminal.width() }),
    ...node.callbacks.map(({ status, detail }) =>
      plainText(
        `Its ramdisk posted data; the inspector answered ${status ?? 'nothing'}${detail ? ` (${detail})` : ''}.`,
      ),
    ),
  ];
}

/** With the stack still there: what to ask it. Without: how to start one, and what to do with the shipped list. */
export function goOnLines(
  stack: DemoStack,
  nodes: readonly WatchedNode[],
  keep: boolean,
  terminal: Terminal,
): string[] {
  const paint = painter(terminal.colour);
  const cli = 'node scripts/ferrolog.mjs';
  if (!keep) {
    const name = 'compute-01.rack1';
    return [
      '',
      paint('bold', 'To go on:'),
      '  npm start                  the stack, until Ctrl-C; then, in another terminal:',
      '  export OS_AUTH_TYPE=none OS_ENDPOINT=http://127.0.0.1:6385',
      '  openstack baremetal create apps/ferrolog/src/demo/inventory/nodes.json',
      `  openstack baremetal node manage ${name} --wait`,
      `  openstack baremetal node inspect ${name} --wait`,
      `  curl http://127.0.0.1:6385/ferrolog/v1/nodes/${name}/events`,
      `  ${cli} replay ${name}`,
      `  ${cli} fleet --nodes 100`,
    ];
  }
  const name = plainText(storyOf(nodes)?.planned.label ?? 'NODE');
  return [
    '',
    paint('bold', 'The stack goes on until Ctrl-C.'),
    `  Bare Metal API   ${stack.apiUrl}`,
    `  inspector        ${stack.inspectorUrl}`,
    `  state and logs   ${stack.home}`,
    'In another terminal:',
    `  export OS_AUTH_TYPE=none OS_ENDPOINT=${stack.apiUrl}`,
    '  openstack baremetal node list',
    `  openstack baremetal node history list ${name}`,
    `  curl ${stack.apiUrl}/ferrolog/v1/nodes/${name}/events`,
    `  ${cli} replay ${name} --api ${stack.apiUrl}`,
  ];
}
