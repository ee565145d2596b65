import { startStack, sleep } from '../../stack';
import { creation, settings, type Bed } from '../bed';
import { randomUUID } from 'node:crypto';
import { requestText } from '../http-client';
import type { LoadResult } from '../load';
import { MemoryWatch, residentMb, residentOf, sumOf, type Resident } from '../memory';
import { atMost, shownNumber, type Row } from '../rows';
import { spread } from '../statistics';

const IDLE_MB_MAX = 450;
const LOADED_MB_MAX = 700;
const CONNECTIONS = 32;

export const shownResident = (resident: Resident): string =>
  Object.entries(resident)
    .map(([name, mb]) => `${name} ${shownNumber(mb)}`)
    .join(', ');

const memoryRow = (name: string, resident: Resident, mbMax: number, notes: readonly string[] = []): Row => {
  const mb = sumOf(resident);
  return {
    measure: 'memory',
    name,
    value: spread([mb]),
    unit: 'MB',
    notes: [shownResident(resident), ...notes],
    aim: atMost(mbMax, mb, ' MB'),
  };
};

export const idleRow = (bed: Bed): Row =>
  memoryRow('resident memory of all services, idle', residentOf(bed.pids), IDLE_MB_MAX, [
    `nats-server beside them ${shownNumber(residentMb(bed.broker.pid()))}`,
  ]);

export const loadedRow = (bed: Bed, largest: Resident): Row =>
  memoryRow('resident memory of all services, largest in this run', largest, LOADED_MB_MAX, [
    `nats-server beside them ${shownNumber(residentMb(bed.broker.pid()))}`,
  ]);

/** All services in one process: idle, and while nodes are made and read. */
export async function single(bed: Bed): Promise<Row[]> {
  bed.progress('one process');
  const stack = await startStack({ layout: 'single', settings });
  try {
    const pids = { single: stack.pid('single') };
    await sleep(bed.sizes.settleMs);
    const idle = residentOf(pids);
    const watch = new MemoryWatch(() => pids);
    const port = Number(new URL(stack.apiUrl).port);
    const uuids = Array.from({ length: bed.sizes.nodes.small }, () => randomUUID());
    const creations = uuids.map((uuid) => requestText('POST', '/v1/nodes', creation(uuid, `single-${uuid}`)));
    const order = { port, connections: CONNECTIONS };
    const made = await bed.load.ask<LoadResult>('runLoad', { ...order, requests: creations, status: 201 });
    const shows = [...uuids.map((uuid) => requestText('GET', `/v1/nodes/${uuid}`)), requestText('GET', '/v1/nodes')];
    const read = await bed.load.ask<LoadResult>('runLoad', {
      ...order,
      requests: shows,
      status: 200,
      forMs: bed.sizes.sliceMs,
    });
    const loaded = watch.stop();
    const notes = [`${shownNumber(made.perSecond)} creations/s, then ${shownNumber(read.perSecond)} GETs/s`];
    return [
      memoryRow('resident memory in one process (--single), idle', idle, IDLE_MB_MAX),
      memoryRow('resident memory in one process (--single), loaded', loaded, LOADED_MB_MAX, notes),
    ];
  } finally {
    await stack.stop();
  }
}
