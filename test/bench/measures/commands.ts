import { randomUUID } from 'node:crypto';
import { documentSchemas } from '@lib/contracts';
import { openSqliteLog, sqlitePath } from '@lib/adapters/event-log-typeorm';
import { systemClock } from '@lib/adapters/system-clock';
import type { Append } from '@lib/ports';
import { creation, uuidOf, type Bed } from '../bed';
import { compare, type Slice } from '../compare';
import { appendFor, inspectAppendFor, patchAppendFor } from '../fill';
import { requestText } from '../http-client';
import { atLeast, type Row } from '../rows';
import { rowsOf } from '../skeleton-rows';

const SKELETON = 'bare skeleton of the path';
const AIM = 0.7;
const API = 'skeleton api';
const WRITER = 'skeleton writer';

const skeletonPids = (bed: Bed): Record<string, number> => ({
  api: bed.worker(API).pid,
  writer: bed.worker(WRITER).pid,
  broker: bed.broker.pid(),
});

/** Fastify -> NATS -> group commit of what this append comes to -> reply, in two processes and a database of its own. Answers its port. */
async function skeleton(bed: Bed, append: Append, uuid: string, status: number): Promise<number> {
  const home = bed.folder();
  await (await openSqliteLog({ home, schemas: documentSchemas, clock: systemClock })).close();
  const [api, writer] = [bed.worker(API), bed.worker(WRITER)];
  const natsUrl = bed.broker.url;
  const subject = `bench.skeleton.${status}`;
  const rows = rowsOf(append, uuid);
  await writer.ask('serveSkeletonWriter', { natsUrl, subject, database: sqlitePath(home), rows });
  return api.ask<number>('serveSkeletonApi', { natsUrl, subject, status });
}

const shoot = (bed: Bed, port: number, connections: number, requests: readonly string[], status: number) =>
  bed.load.ask<never>('runLoad', { port, connections, requests, status });

/** POST /v1/nodes. */
export async function create(bed: Bed): Promise<Row[]> {
  const uuid = uuidOf('sample', 1);
  const sample = appendFor({ uuid, name: 'sample', state: 'enroll' }, await bed.template(), systemClock.now());
  const bare = await skeleton(bed, sample, uuid, 201);
  const rows: Row[] = [];
  for (const { connections, count } of bed.sizes.commands) {
    bed.progress(`create at ${connections} connections`);
    const requests = (): string[] =>
      Array.from({ length: count }, () => {
        const fresh = randomUUID();
        return requestText('POST', '/v1/nodes', creation(fresh, `created-${fresh}`));
      });
    const at =
      (port: number): Slice =>
      () =>
        shoot(bed, port, connections, requests(), 201);
    rows.push(...(await commandRows(bed, 'create', connections, at(bed.port), at(bare))));
  }
  return rows;
}

const PATCH_CONNECTIONS = 32;
const JSON_PATCH = { contentType: 'application/json-patch+json' };

/** PATCH /v1/nodes/{uuid}, one member of `extra`, at 32 connections. */
export async function patch(bed: Bed): Promise<Row[]> {
  const { slices, warmUps, commands } = bed.sizes;
  const count = commands.find(({ connections }) => connections === PATCH_CONNECTIONS)?.count ?? 0;
  const uuids = await bed.manageable('patched', count * (slices + warmUps));
  const uuid = uuidOf('sample', 3);
  const fields = await bed.template();
  const sample = patchAppendFor(uuid, fields, { ...fields.extra, asset: `a-${uuid}` }, systemClock.now());
  const bare = await skeleton(bed, sample, uuid, 200);
  const text = (one: string): string =>
    requestText('PATCH', `/v1/nodes/${one}`, [{ op: 'add', path: '/extra/asset', value: `a-${one}` }], JSON_PATCH);
  bed.progress(`PATCH at ${PATCH_CONNECTIONS} connections`);
  const subject: Slice = () => shoot(bed, bed.port, PATCH_CONNECTIONS, uuids.splice(0, count).map(text), 200);
  const beside: Slice = () =>
    shoot(
      bed,
      bare,
      PATCH_CONNECTIONS,
      Array.from({ length: count }, () => text(randomUUID())),
      200,
    );
  return commandRows(bed, 'PATCH', PATCH_CONNECTIONS, subject, beside);
}

/** PUT .../states/provision {"target": "inspect"}: accepted; what it starts goes on behind it and is part of the price. */
export async function inspect(bed: Bed): Promise<Row[]> {
  const { slices, warmUps, commands } = bed.sizes;
  const each = commands.reduce((sum, { count }) => sum + count, 0);
  const uuids = await bed.manageable('command', each * (slices + warmUps));
  const uuid = uuidOf('sample', 2);
  const sample = inspectAppendFor(uuid, await bed.template(), systemClock.now());
  const bare = await skeleton(bed, sample, uuid, 202);
  const rows: Row[] = [];
  for (const { connections, count } of commands) {
    bed.progress(`inspect at ${connections} connections`);
    const text = (one: string): string =>
      requestText('PUT', `/v1/nodes/${one}/states/provision`, { target: 'inspect' });
    const subject: Slice = async () => {
      const result = await shoot(bed, bed.port, connections, uuids.splice(0, count).map(text), 202);
      await bed.quiet();
      return result;
    };
    const beside: Slice = () =>
      shoot(
        bed,
        bare,
        connections,
        Array.from({ length: count }, () => text(randomUUID())),
        202,
      );
    rows.push(...(await commandRows(bed, 'inspect', connections, subject, beside)));
  }
  return rows;
}

const commandRows = (bed: Bed, what: string, connections: number, subject: Slice, beside: Slice): Promise<Row[]> =>
  compare({
    measure: 'commands',
    name: `accepted ${what} commands at ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    slices: bed.sizes.slices,
    warmUps: bed.sizes.warmUps,
    subject: { slice: subject, pids: () => ({ ...bed.pids, broker: bed.broker.pid() }) },
    bare: [{ name: SKELETON, slice: beside, pids: () => skeletonPids(bed) }],
    aim: { beside: SKELETON, of: (ratio) => atLeast(AIM, ratio) },
  });
