import type { Bed } from '../bed';
import { atLeast, type Row } from '../rows';
import { spread } from '../statistics';
import type { FoldResult } from '../workers/fold-log';

/** All nodes from their first event, beside a paged read of the same log that parses each event and no more. */
export async function fold(bed: Bed): Promise<Row[]> {
  await bed.nodesInLog(bed.sizes.nodes.large);
  const worker = bed.worker('bare parts');
  const order = { database: bed.database, eventsMax: bed.sizes.fold.eventsMax };
  const own: FoldResult[] = [];
  const bare: FoldResult[] = [];
  for (let slice = 0; slice < bed.sizes.fold.slices; slice += 1) {
    bed.progress(`fold, slice ${slice + 1}`);
    own.push(await worker.ask<FoldResult>('fold', order));
    bare.push(await worker.ask<FoldResult>('parse', order));
  }
  const ratio = spread(own.map(({ perSecond }, i) => perSecond / (bare[i]?.perSecond ?? Number.NaN)));
  return [
    {
      measure: 'fold',
      name: `fold of ${(own[0]?.events ?? 0).toLocaleString('en-US')} events`,
      value: spread(own.map(({ perSecond }) => perSecond)),
      unit: 'events/s',
      beside: {
        name: 'plain paged read with JSON.parse',
        value: spread(bare.map(({ perSecond }) => perSecond)),
        ratio,
      },
      aim: atLeast(0.8, ratio.median),
    },
  ];
}
