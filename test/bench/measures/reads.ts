import { httpCall } from '../../stack';
import type { Bed } from '../bed';
import { compare } from '../compare';
import { requestText } from '../http-client';
import type { LoadOrder, LoadResult } from '../load';
import { atLeast, type Row } from '../rows';

const SHOW_CONNECTIONS = 64;
const LIST_CONNECTIONS = 4;
const LIMIT = 1_000;
const PLAIN = 'plain Fastify, same bytes';
const SPLICED = 'reading and splicing the stored text';
/** The server's own business, whichever server it is. */
const perConnection = /^(connection|keep-alive|date|content-length|transfer-encoding)$/;

interface Shot {
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function answerOf(bed: Bed, path: string): Promise<Shot> {
  const headers = { Host: '127.0.0.1', 'X-OpenStack-Ironic-API-Version': '1.115' };
  const { status, headers: sent, text } = await httpCall(bed.stack.apiUrl, { method: 'GET', path, headers });
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text.slice(0, 300)}`);
  return {
    body: text,
    headers: Object.fromEntries(Object.entries(sent).filter(([name]) => !perConnection.test(name))),
  };
}

const shooting =
  (bed: Bed, order: Omit<LoadOrder, 'status' | 'forMs'>): (() => Promise<LoadResult>) =>
  () =>
    bed.load.ask('runLoad', { ...order, status: 200, forMs: bed.sizes.sliceMs });

const apiPids = (bed: Bed) => () => ({ api: bed.pids['api'] ?? 0 });

/** GET /v1/nodes/{uuid} at 64 connections. */
export async function show(bed: Bed, nodes: number): Promise<Row[]> {
  const uuids = await bed.nodesInLog(nodes);
  const plain = bed.worker('bare parts');
  const shot = await answerOf(bed, `/v1/nodes/${uuids[0]}`);
  const port = await plain.ask<number>('servePlain', { answers: [{ path: '/v1/nodes/:uuid', ...shot }] });
  const requests = uuids.map((uuid) => requestText('GET', `/v1/nodes/${uuid}`));
  return compare({
    measure: 'show',
    name: `show of one node among ${nodes.toLocaleString('en-US')}, ${SHOW_CONNECTIONS} connections`,
    slices: bed.sizes.slices,
    warmUps: bed.sizes.warmUps,
    subject: { slice: shooting(bed, { port: bed.port, connections: SHOW_CONNECTIONS, requests }), pids: apiPids(bed) },
    bare: [
      {
        name: PLAIN,
        slice: shooting(bed, { port, connections: SHOW_CONNECTIONS, requests }),
        pids: () => ({ plain: plain.pid }),
      },
    ],
    aim: { beside: PLAIN, of: (ratio) => atLeast(0.6, ratio) },
  });
}

/** GET /v1/nodes and /v1/nodes/detail, a page of 1,000. */
export async function list(bed: Bed, nodes: number): Promise<Row[]> {
  await bed.nodesInLog(nodes);
  return [
    ...(await page(bed, nodes, '/v1/nodes', 'list')),
    ...(await page(bed, nodes, '/v1/nodes/detail', 'list in detail')),
  ];
}

async function page(bed: Bed, nodes: number, path: string, what: string): Promise<Row[]> {
  const bare = bed.worker('bare parts');
  const query = `${path}?limit=${LIMIT}`;
  const shot = await answerOf(bed, query);
  const plainPort = await bare.ask<number>('servePlain', { answers: [{ path, ...shot }] });
  const splicedPort = await bare.ask<number>('serveSpliced', { database: bed.database, path, limit: LIMIT });
  const order = { connections: LIST_CONNECTIONS, requests: [requestText('GET', query)] };
  const pids = () => ({ bare: bare.pid });
  const kb = Math.round(Buffer.byteLength(shot.body) / 1024);
  return compare({
    measure: 'list',
    name: `${what} of ${LIMIT.toLocaleString('en-US')} (${kb} KB) among ${nodes.toLocaleString('en-US')}, ${LIST_CONNECTIONS} connections`,
    slices: bed.sizes.slices,
    warmUps: bed.sizes.warmUps,
    subject: { slice: shooting(bed, { ...order, port: bed.port }), pids: apiPids(bed) },
    bare: [
      { name: SPLICED, slice: shooting(bed, { ...order, port: splicedPort }), pids },
      { name: PLAIN, slice: shooting(bed, { ...order, port: plainPort }), pids },
    ],
    aim: { beside: SPLICED, of: (ratio) => atLeast(0.6, ratio) },
  });
}
