/** Fastify as a plain carrier: bodies stay bytes, limits and faults are the contract's. */
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '@lib/contracts/settings';
import { ApiFault, unknownPath } from '../faults';
import { bodyBytesMax, isJson, tooLarge } from '../http';
import type { ApiServer } from '../server';
import { refuseConnection, refuseTunnel } from './refuse-connection';
import { send } from './api.controller';
import { DRAIN_BYTES_MAX, drained } from './linger';

/** Nothing larger is read, whatever its type: the largest body that the contract admits. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Whoever sends nothing any more must not hold a connection for ever. Time enough for 64 MiB at 2 Mbit/s. */
const REQUEST_TIMEOUT_MS = 300_000;
const HEADERS_TIMEOUT_MS = 60_000;

/** Nest installs handlers of its own shape for errors and unknown routes; ours take their place. */
class CarrierAdapter extends FastifyAdapter {
  constructor(private readonly server: ApiServer) {
    super({
      bodyLimit: BODY_BYTES_MAX,
      exposeHeadRoutes: false,
      // No middleware of Express's kind is used.
      skipMiddie: true,
      forceCloseConnections: 'idle',
      requestTimeout: REQUEST_TIMEOUT_MS,
      // HTTP/1.1 wants a Host; without one the address of the connection would do, and a fault needs our own shape.
      http: { requireHostHeader: false, headersTimeout: HEADERS_TIMEOUT_MS },
      // What is no HTTP never becomes a request; its answer is written by hand.
      clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => refuseConnection(server, error, socket),
      // What Fastify refuses by itself, a path that cannot be decoded among others.
      frameworkErrors: (error: CarrierError, request: FastifyRequest, reply: FastifyReply) => {
        void refuse(server, request, reply, faultOf(error));
      },
    });
  }

  override setErrorHandler(): FastifyInstance {
    const { server } = this;
    return this.instance.setErrorHandler((error: CarrierError, request: FastifyRequest, reply: FastifyReply) =>
      refuse(server, request, reply, faultOf(error)),
    ) as unknown as FastifyInstance;
  }

  override setNotFoundHandler(): FastifyInstance {
    const { server } = this;
    return this.instance.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
      refuse(server, request, reply, unknownPath()),
    ) as unknown as FastifyInstance;
  }
}

type CarrierError = Error & { statusCode?: number; code?: string };

export const newAdapter = (server: ApiServer): FastifyAdapter => new CarrierAdapter(server);

/** What Node would answer by closing the connection gets an answer. */
export function refuseTunnels(instance: FastifyInstance, server: ApiServer): void {
  instance.server.on('connect', (_request: unknown, socket: Socket) => refuseTunnel(server, socket));
}

/** Bodies as bytes up to the limits of the contract. */
export function readBodiesAsBytes(instance: FastifyInstance, settings: Settings): void {
  // An expectation that nobody knows is none (RFC 9110 §10.1.1 leaves the choice).
  instance.server.on('checkExpectation', (request, response) => instance.server.emit('request', request, response));
  // A body may come with any method, and one that nobody reads would cost the client its answer when the connection ends.
  for (const method of ['GET', 'HEAD', 'TRACE'])
    instance.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', (request, payload, done) => {
    const limit = limitOf(request, settings);
    // Not worth waiting for: nothing of it would be kept.
    if (Number(request.headers['content-length'] ?? 0) > limit + DRAIN_BYTES_MAX)
      return done(tooLarge(limit), undefined);
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
}

function limitOf(request: FastifyRequest, settings: Settings): number {
  const path = (request.raw.url ?? '/').split('?')[0] ?? '/';
  return isJson(request.headers['content-type']) ? bodyBytesMax(path, settings.api) : BODY_BYTES_MAX;
}

function faultOf(error: CarrierError): ApiFault {
  if (error instanceof ApiFault) return error;
  if (error.statusCode === 413) return tooLarge(BODY_BYTES_MAX);
  // Whoever closes the connection in the middle of a body will not read what is said about it.
  if (error.code === 'ECONNRESET')
    return new ApiFault(400, 'The connection was closed in the middle of the body.', 'router');
  if (error.statusCode !== undefined && error.statusCode < 500) return new ApiFault(400, error.message, 'router');
  return new ApiFault(500, error.message);
}

async function refuse(server: ApiServer, request: FastifyRequest, reply: FastifyReply, fault: ApiFault): Promise<void> {
  const { method, url, headers } = request.raw;
  await drained(request.raw);
  // What is left of such a body would be taken for the next request's.
  if (fault.status === 413) void reply.header('connection', 'close');
  await send(reply, server.refuse({ method: method ?? 'GET', url: url ?? '/', headers }, fault));
}
