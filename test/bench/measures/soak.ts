import { randomUUID } from 'node:crypto';
import { creation, type Bed } from '../bed';
import { requestText } from '../http-client';
import type { LoadResult } from '../load';
import { residentOf, sumOf } from '../memory';
import { shownNumber, type Row } from '../rows';
import { median, spread } from '../statistics';
import { shownResident } from './memory';

const LOOK_MS = 5_000;
const BATCH = 200;
const CONNECTIONS = 16;
/** Of the sum: below it a collector that runs a little later explains a difference. */
const GROWTH_SHARE_MAX = 0.05;

/**
 * The same nodes are made, read, inspected, aborted and removed, over and over: a log that grows and a fleet that does not.
 * Memory of the last fifth of the time beside that of the second fifth; the first one warms up.
 */
export async function soak(bed: Bed, minutes: number): Promise<Row[]> {
  const endsAt = Date.now() + minutes * 60_000;
  const looks: number[] = [];
  let shownAt = 0;
  const timer = setInterval(() => {
    const resident = residentOf(bed.pids);
    looks.push(sumOf(resident));
    if (Date.now() - shownAt < 60_000) return;
    shownAt = Date.now();
    bed.progress(`${shownNumber(sumOf(resident))} MB: ${shownResident(resident)}`);
  }, LOOK_MS);
  let requests = 0;
  try {
    while (Date.now() < endsAt) requests += await lives(bed);
  } finally {
    clearInterval(timer);
  }
  const fifth = Math.max(1, Math.floor(looks.length / 5));
  const [early, late] = [median(looks.slice(fifth, 2 * fifth)), median(looks.slice(-fifth))];
  const growth = late - early;
  return [
    {
      measure: 'soak',
      name: `growth of resident memory over ${minutes} minutes`,
      value: spread([growth]),
      unit: 'MB',
      notes: [
        `${shownNumber(early)} MB in the second fifth, ${shownNumber(late)} MB in the last`,
        `${requests.toLocaleString('en-US')} requests`,
      ],
      aim: { text: 'no growth (within 5 %)', met: growth <= early * GROWTH_SHARE_MAX },
    },
  ];
}

async function lives(bed: Bed): Promise<number> {
  const uuids = Array.from({ length: BATCH }, () => randomUUID());
  const shoot = async (status: number, requests: readonly string[]): Promise<number> => {
    const order = { port: bed.port, connections: CONNECTIONS, requests, status };
    const { answered, failures } = await bed.load.ask<LoadResult>('runLoad', order);
    if (answered !== requests.length) throw new Error(`the soak met ${JSON.stringify(failures)}`);
    return answered;
  };
  const provision = (target: string): string[] =>
    uuids.map((uuid) => requestText('PUT', `/v1/nodes/${uuid}/states/provision`, { target }));
  let requests = await shoot(
    201,
    uuids.map((uuid) => requestText('POST', '/v1/nodes', creation(uuid, `soak-${uuid}`))),
  );
  // A node in `inspect failed` is not deleted (contract: inspection.md §1.1), one that is manageable is.
  for (const target of ['manage', 'inspect', 'abort', 'manage']) {
    requests += await shoot(202, provision(target));
    await bed.quiet();
  }
  requests += await shoot(200, [
    ...uuids.map((uuid) => requestText('GET', `/v1/nodes/${uuid}`)),
    ...Array.from({ length: 10 }, () => requestText('GET', '/v1/nodes/detail')),
  ]);
  requests += await shoot(
    204,
    uuids.map((uuid) => requestText('DELETE', `/v1/nodes/${uuid}`)),
  );
  return requests;
}
