import type { InspectorReply } from '@lib/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The answer as bytes: with a text Fastify would add a charset that the service never sent. */
export const send = (reply: FastifyReply, { status, body }: InspectorReply): void => {
  if (status === 204) {
    void reply.code(204).header('content-type', 'text/plain; charset=utf-8').header('content-length', '0').send();
    return;
  }
  void reply
    .code(status)
    .header('content-type', 'application/json')
    .send(Buffer.from(JSON.stringify(body)));
};

/** Base of links: the address under which the client reached us. */
export const baseUrl = (request: FastifyRequest): string => `${request.protocol}://${request.host}`;
