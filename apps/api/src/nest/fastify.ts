/** Fastify as a plain carrier: bodies stay bytes, limits and faults are the contract's. */
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '@lib/contracts/settings';
import { ApiFault } from '../faults';
import { bodyBytesMax, isJson, tooLarge } from '../http';
import type { ApiServer } from '../server';
import { send } from './api.controller';

/** Nothing larger is read, whatever its type: the largest body that the contract admits. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
const DRAIN_BYTES_MAX = 8 * 1024 * 1024;

export function newAdapter(server: () => ApiServer): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // A path that cannot be decoded, and what Fastify refuses by itself.
    frameworkErrors: (error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) =>
      refuse(server(), request, reply, carrierFault(error)),
  });
}

export function readBodiesAsBytes(instance: FastifyInstance, server: ApiServer, settings: Settings): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', (request, payload, done) => {
    const limit = limitOf(request, settings);
    let length = 0;
    const chunks: Buffer[] = [];
    payload.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      // The rest of a body a little too large is read and dropped, so that the client gets to read the answer.
      else if (length > limit + DRAIN_BYTES_MAX) payload.destroy();
    });
    payload.on('error', (error: Error) => done(error, undefined));
    payload.on('close', () => length > limit && done(tooLarge(limit), undefined));
    payload.on('end', () => (length > limit ? undefined : done(null, Buffer.concat(chunks, length))));
  });
  instance.setErrorHandler((error: Error & { statusCode?: number }, request, reply) =>
    refuse(server, request, reply, error instanceof ApiFault ? error : carrierFault(error)),
  );
}

function limitOf(request: FastifyRequest, settings: Settings): number {
  const path = (request.raw.url ?? '/').split('?')[0] ?? '/';
  return isJson(request.headers['content-type']) ? bodyBytesMax(path, settings.api) : BODY_BYTES_MAX;
}

function carrierFault(error: Error & { statusCode?: number }): ApiFault {
  if (error.statusCode === 413) return tooLarge(BODY_BYTES_MAX);
  if (error.statusCode !== undefined && error.statusCode < 500) return new ApiFault(400, error.message, 'router');
  return new ApiFault(500, error.message);
}

async function refuse(server: ApiServer, request: FastifyRequest, reply: FastifyReply, fault: ApiFault): Promise<void> {
  const { method, url, headers } = request.raw;
  await send(reply, server.refuse({ method: method ?? 'GET', url: url ?? '/', headers }, fault));
}
