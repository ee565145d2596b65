import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '@lib/ports';
import type { SimulatedInspector } from '@lib/usecases/simulated-inspector';
import { BODY_BYTES_MAX } from './body';
import { ErrorsFilter } from './errors.filter';
import { InspectorModule } from './inspector.module';
import { withToken } from '../caller';
import { checkIdentity, type Guard, tokenIn } from './identity';
import { minorVersion, versionHeaders } from './microversion';

export interface HttpDoor {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly guard: Guard;
  readonly inspector: SimulatedInspector;
  readonly isReady: () => boolean;
  readonly logger: Logger;
}

/** Listens; resolves with the address and what stops it. */
export const serveHttp = async (door: HttpDoor): Promise<{ url: string; close(): Promise<void> }> => {
  const filter = new ErrorsFilter(door.logger);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { ignoreTrailingSlash: true },
    // What Fastify refuses before there is a route: a path that can not be decoded, among others.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void reply.headers(versionHeaders);
      filter.answer(error, request, reply);
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    InspectorModule.around(door.inspector, door.isReady),
    adapter,
    { bodyParser: false, logger: false, abortOnError: false },
  );
  const fastify = adapter.getInstance();
  // The service never looked at Content-Type: every body is bytes here, and JSON where a route wants JSON.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.headers(versionHeaders);
    await checkIdentity(request, door.guard);
    minorVersion(request.headers);
  });
  // Not before: what reads the body runs on nobody's behalf.
  fastify.addHook('preHandler', (request, _reply, done) => withToken(tokenIn(request), done));
  app.useGlobalFilters(filter);
  try {
    await app.listen(door.port, door.host);
  } catch (error) {
    await app.close();
    throw error;
  }
  return { url: (await app.getUrl()).replace('[::1]', 'localhost'), close: () => app.close() };
};
