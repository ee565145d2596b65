import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { connect } from 'nats';
import { DataSource } from 'typeorm';
import { GroupCommits, type RowsOfTable } from './group-commits';

async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** Bodies stay bytes, as in the api. */
function bytesOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

export interface PlainOrder {
  /** Path -> what is sent there. */
  readonly answers: readonly {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }[];
}

/** A handler that sends what it was given: what HTTP itself costs here. Answers its port. */
async function servePlain({ answers }: PlainOrder): Promise<number> {
  const app = fastify();
  for (const { path, headers, body } of answers) {
    app.get(path, async (_request, reply) => reply.code(200).headers(headers).send(Buffer.from(body, 'utf8')));
  }
  return listen(app);
}

export interface SpliceOrder {
  readonly database: string;
  readonly path: string;
  readonly limit: number;
  /** `seq` of the document that the page comes after. */
  readonly after: number;
}

/** Reads a page of stored documents through TypeORM and joins their texts, as they stand, to one answer. */
async function serveSpliced({ database, path, limit, after }: SpliceOrder): Promise<number> {
  const source = await new DataSource({ type: 'sqlite', database, flags: 1 }).initialize();
  const app = fastify();
  const select = 'SELECT id, seq, version, json FROM doc_node WHERE seq > ? ORDER BY seq LIMIT ?';
  app.get(path, async (_request, reply) => {
    const rows = (await source.query(select, [after, limit])) as { json: string }[];
    const body = `{"nodes":[${rows.map(({ json }) => json).join(',')}]}`;
    return reply.code(200).header('content-type', 'application/json').send(Buffer.from(body, 'utf8'));
  });
  return listen(app);
}

export interface ApiOrder {
  readonly natsUrl: string;
  readonly subject: string;
  readonly status: number;
}

/** Fastify -> NATS request -> reply: the api of the skeleton. */
async function serveSkeletonApi({ natsUrl, subject, status }: ApiOrder): Promise<number> {
  const nats = await connect({ servers: natsUrl });
  const app = fastify();
  bytesOnly(app);
  app.all('/*', async (request, reply) => {
    await nats.request(subject, request.body as Buffer, { timeout: 30_000 });
    return reply.code(status).send();
  });
  return listen(app);
}

export interface WriterOrder {
  readonly natsUrl: string;
  readonly subject: string;
  readonly database: string;
  /** What one command writes; `{id}` in a text becomes an id of its own. */
  readonly rows: readonly RowsOfTable[];
}

/** NATS -> group commit -> reply: the conductor of the skeleton, without rules and without looking before it writes. */
async function serveSkeletonWriter({ natsUrl, subject, database, rows }: WriterOrder): Promise<null> {
  const nats = await connect({ servers: natsUrl });
  const commits = await GroupCommits.open(database, rows);
  nats.subscribe(subject, {
    queue: 'skeleton',
    callback: (_error, message) => void commits.commit().then(() => message.respond(new Uint8Array([1]))),
  });
  await nats.flush();
  return null;
}

export const servers = { servePlain, serveSpliced, serveSkeletonApi, serveSkeletonWriter };
