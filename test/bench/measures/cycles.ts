import { macOf, ramdiskReport } from '../../stack';
import { BUS_PREFIX, type Bed } from '../bed';
import { atLeast, type Row } from '../rows';
import { spread } from '../statistics';
import type { CyclesResult, Ending } from '../workers/drive-cycles';

const CONNECTIONS = 64;
const PATIENCE_MS = 120_000;
const AIM_PER_SECOND = 200;
/** Seconds; the shortest that a node can have. */
const WAIT_TIMEOUT = 1;

const shown: Readonly<Record<Ending, string>> = {
  callback: 'ended by their callback',
  timeout: `ended by their timeout of ${WAIT_TIMEOUT} s, which is part of the time`,
  abort: 'ended by abort',
};

/** Whole inspections, from the request to the ending in the broker's stream; all nodes at once. */
export async function cycles(bed: Bed): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, ending] of (['callback', 'timeout', 'abort'] as const).entries()) {
    const { nodes, rounds } = bed.sizes.cycles;
    const uuids = await bed.manageable(ending, nodes, ending === 'timeout' ? { waitTimeout: WAIT_TIMEOUT } : {});
    const reports = Object.fromEntries(uuids.map((uuid, i) => [uuid, ramdiskReport(macOf(1 + index * 1_000_000 + i))]));
    const results: CyclesResult[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      bed.progress(`${nodes} inspections ${shown[ending]}, round ${round}`);
      results.push(
        await bed.load.ask<CyclesResult>('driveCycles', {
          natsUrl: bed.broker.url,
          prefix: BUS_PREFIX,
          port: bed.port,
          connections: CONNECTIONS,
          uuids,
          ending,
          reports: ending === 'callback' ? reports : {},
          patienceMs: PATIENCE_MS,
        }),
      );
      await bed.quiet();
    }
    rows.push(rowOf(ending, nodes, results));
  }
  return rows;
}

function rowOf(ending: Ending, nodes: number, results: readonly CyclesResult[]): Row {
  const failed = results.find(({ failures }) => Object.keys(failures).length > 0);
  if (failed !== undefined) throw new Error(`inspections ${shown[ending]}: ${JSON.stringify(failed.failures)}`);
  const value = spread(results.map(({ ended, seconds }) => ended / seconds));
  return {
    measure: 'cycles',
    name: `inspections of ${nodes.toLocaleString('en-US')} nodes, ${shown[ending]}`,
    value,
    unit: 'cycles/s',
    aim: atLeast(AIM_PER_SECOND, value.median, '/s'),
  };
}
