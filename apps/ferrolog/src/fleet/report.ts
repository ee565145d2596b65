import type { ScriptName } from '@lib/domain/introspection';
import { type Paint, plainText, spanText, tableLines } from '../screen';
import type { FleetResult } from './run';

export interface ScriptCount {
  readonly script: ScriptName;
  readonly ending: string;
  readonly nodes: number;
  readonly asScripted: number;
}

/** How many of each script ended as it says. */
export function countsOf(results: readonly FleetResult[]): ScriptCount[] {
  const counts = new Map<string, ScriptCount>();
  for (const { node, differences } of results) {
    const { script } = node.script;
    const { ending } = node.expected;
    const before = counts.get(`${script}/${ending}`) ?? { script, ending, nodes: 0, asScripted: 0 };
    const asScripted = before.asScripted + (differences.length === 0 ? 1 : 0);
    counts.set(`${script}/${ending}`, { ...before, nodes: before.nodes + 1, asScripted });
  }
  return [...counts.values()].sort((a, b) => b.nodes - a.nodes);
}

const DIFFERENCES_SHOWN = 10;

export function fleetLines(
  results: readonly FleetResult[],
  tookMs: number,
  look: { paint: Paint; width: number | null },
): string[] {
  const columns = [{ title: 'SCRIPT' }, { title: 'IS TO END' }, { title: 'NODES' }, { title: 'AS SCRIPTED' }];
  const rows = countsOf(results).map(({ script, ending, nodes, asScripted }) => [
    { text: script },
    { text: ending },
    { text: String(nodes) },
    { text: String(asScripted), style: asScripted === nodes ? ('green' as const) : ('red' as const) },
  ]);
  const wrong = results.filter(({ differences }) => differences.length > 0);
  const shown = wrong.slice(0, DIFFERENCES_SHOWN);
  const rate = (results.length / (tookMs / 1000)).toFixed(1);
  return [
    ...tableLines(columns, rows, { ...look, overflow: 'cut' }),
    '',
    `${results.length} nodes in ${spanText(tookMs)}, ${rate} a second; ${
      wrong.length === 0
        ? look.paint('green', 'every node ended as scripted')
        : look.paint('red', `${wrong.length} did not end as scripted`)
    }.`,
    ...shown.map(({ node, differences }) =>
      plainText(`  ${node.name} (${node.script.script}): ${differences.join('; ')}`),
    ),
    ...(wrong.length > shown.length ? [`  and ${wrong.length - shown.length} more; --json names them all`] : []),
  ];
}

export const fleetDocument = (results: readonly FleetResult[], tookMs: number, left: readonly string[]): object => ({
  ok: results.every(({ differences }) => differences.length === 0) && left.length === 0,
  nodes: results.length,
  seconds: Math.round(tookMs) / 1000,
  nodes_per_second: Math.round((results.length / (tookMs / 1000)) * 100) / 100,
  endings: countsOf(results).map(({ asScripted, ...count }) => ({ ...count, as_scripted: asScripted })),
  results: results.map(({ node, uuid, differences, tookMs: ms }) => ({
    name: node.name,
    uuid,
    script: node.script.script,
    ending: node.expected.ending,
    seconds: Math.round(ms) / 1000,
    differences,
  })),
  left,
});
