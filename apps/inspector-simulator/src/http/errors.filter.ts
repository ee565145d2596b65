import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { InspectorReply } from '@lib/contracts';
import type { Logger } from '@lib/ports';
import { answerOf, errorBody, NoAnswer } from '@lib/usecases/simulated-inspector';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeystoneAway } from '../keystone';
import { NotAllowed, NotIdentified } from './identity';
import { VersionNotAcceptable } from './microversion';
import { allowedMethods } from './routes';
import { send } from './send';

/** 4xx that the framework gives a request before we see it: nothing there, body too large, bad header. */
const frameworkStatus = (error: unknown): number | null => {
  const carrier = error as { getStatus?: () => number; statusCode?: unknown } | null;
  const status = typeof carrier?.getStatus === 'function' ? carrier.getStatus() : carrier?.statusCode;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null;
};

const replyOf = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): InspectorReply | null => {
  if (error instanceof NotIdentified) {
    void reply.header('www-authenticate', error.challenge);
    return { status: 401, body: errorBody(error.message) };
  }
  if (error instanceof NotAllowed) return { status: 403, body: errorBody(error.message) };
  if (error instanceof KeystoneAway) {
    logger.warn({ reason: error.message }, 'A request to the inspector could not be identified');
    return { status: 503, body: errorBody('The identity service can not be asked at the moment, please retry later') };
  }
  if (error instanceof VersionNotAcceptable) return { status: 406, body: errorBody(error.message) };
  const status = frameworkStatus(error);
  if (status === null) return answerOf(error, logger);
  const allowed = status === 404 ? allowedMethods(request.url) : null;
  if (allowed === null)
    return { status, body: errorBody(status === 404 ? 'There is nothing here' : (error as Error).message) };
  void reply.header('allow', allowed);
  if (request.method === 'OPTIONS') return { status: 200, body: {} };
  return { status: 405, body: errorBody(`${request.method} is not possible here`) };
};

/** Every error as `{"error": {"message": ...}}` (contract: inspector-api.md §1), or as silence where a script wants it. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (error instanceof NoAnswer) {
      reply.hijack();
      request.raw.socket.destroy();
      return;
    }
    const answer = replyOf(error, request, reply, this.logger);
    if (answer) send(reply, answer);
  }
}
