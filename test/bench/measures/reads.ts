import { httpCall } from '../../stack';
import type { Bed } from '../bed';
import { compare } from '../compare';
import { requestText, type RequestForm } from '../http-client';
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

async function answerOf(bed: Bed, path: string, version = '1.115'): Promise<Shot> {
  const headers = { Host: '127.0.0.1', 'X-OpenStack-Ironic-API-Version': version };
  const { status, headers: sent, text } = await httpCall(bed.stack.apiUrl, { method: 'GET', path, headers });
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text.slice(0, 300)}`);
  return {
    body: text,
    headers: Object.fromEntries(Object.entries(sent).filter(([name]) => !perConnection.test(name))),
  };
}

const shooting =
  (bed: Bed, order: Omit<LoadOrder, 'status' | 'forMs'>, forMs = bed.sizes.sliceMs): (() => Promise<LoadResult>) =>
  () =>
    bed.load.ask('runLoad', { ...order, status: 200, forMs });

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
  const splicedPort = await bare.ask<number>('serveSpliced', { database: bed.database, path, limit: LIMIT, after: 0 });
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

const PAGE_VERSIONS = ['1.1', '1.38', '1.72', '1.115'];
/** Links differ by the name that a client uses. */
const PUBLIC_NAMES = ['one.example.org', 'other.example.org'];
const FILTERS = { 'without a filter': '', filtered: '&maintenance=false' };
/** At which part of all nodes a deep page begins. */
const DEEP = 0.9;

/** Pages of 1,000 in detail at several versions, early and deep, with and without a filter, under two public names. */
export async function pages(bed: Bed, nodes: number): Promise<Row[]> {
  await bed.nodesInLog(nodes);
  const rows: Row[] = [];
  for (const version of PAGE_VERSIONS) {
    for (const [filtered, filter] of Object.entries(FILTERS)) {
      for (const after of [0, Math.max(1, Math.floor(nodes * DEEP) - LIMIT)]) {
        rows.push(...(await onePage(bed, { nodes, version, filtered, filter, after })));
      }
    }
  }
  return rows;
}

interface PageOrder {
  readonly nodes: number;
  readonly version: string;
  readonly filtered: string;
  readonly filter: string;
  /** The place of the node that the page comes after. */
  readonly after: number;
}

async function onePage(bed: Bed, { nodes, version, filtered, filter, after }: PageOrder): Promise<Row[]> {
  const bare = bed.worker('bare parts');
  const [at] = await bed.query<{ id: string; seq: number }>(
    'SELECT id, seq FROM doc_node ORDER BY seq LIMIT 1 OFFSET ?',
    [Math.max(0, after - 1)],
  );
  const path = '/v1/nodes/detail';
  const marker = after === 0 || at === undefined ? '' : `&marker=${at.id}`;
  const query = `${path}?limit=${LIMIT}${filter}${marker}`;
  const shot = await answerOf(bed, query, version);
  const port = await bare.ask<number>('serveSpliced', {
    database: bed.database,
    path,
    limit: LIMIT,
    after: marker === '' ? 0 : at?.seq,
  });
  const ask = (form: RequestForm): string => requestText('GET', query, undefined, form);
  const requests = PUBLIC_NAMES.map((host) => ask({ host, version }));
  const forMs = bed.sizes.pageMs;
  const kb = Math.round(Buffer.byteLength(shot.body) / 1024);
  const depth = after === 0 ? 'first page' : 'deep page';
  return compare({
    measure: 'pages',
    name: `${depth} of 1,000 in detail (${kb} KB) at ${version} ${filtered} among ${nodes.toLocaleString('en-US')}`,
    slices: Math.min(3, bed.sizes.slices),
    warmUps: bed.sizes.warmUps,
    subject: {
      slice: shooting(bed, { connections: LIST_CONNECTIONS, requests, port: bed.port }, forMs),
      pids: apiPids(bed),
    },
    bare: [
      {
        name: SPLICED,
        slice: shooting(bed, { connections: LIST_CONNECTIONS, requests, port }, forMs),
        pids: () => ({ bare: bare.pid }),
      },
    ],
    aim: { beside: SPLICED, of: (ratio) => atLeast(PAGE_AIM, ratio) },
  });
}

/** A page takes at most 1.7 times as long as reading and splicing alone. */
const PAGE_AIM = 1 / 1.7;
