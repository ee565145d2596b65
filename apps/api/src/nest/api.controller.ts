import type { OutgoingHttpHeaders } from 'node:http';
import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiServer, type RawAnswer } from '../server';

/** The one door for requests: routing is the contract's table, not decorators. */
@Controller()
export class ApiController {
  constructor(@Inject(ApiServer) private readonly server: ApiServer) {}

  @All(['/', '*'])
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const { method, url, headers } = request.raw;
    await send(reply, await this.server.handle({ method: method ?? 'GET', url: url ?? '/', headers, body }));
  }
}

/**
 * Past Fastify's own sending, which would add a charset to the type of a text, and whose hooks nobody uses. What Fastify itself
 * set, as the word that a connection is to be closed, goes along.
 */
export async function send(reply: FastifyReply, { status, headers, body }: RawAnswer): Promise<void> {
  const { raw } = reply.hijack();
  // A text without any other character than ASCII's goes out as it lies in memory.
  const bytes = Buffer.byteLength(body, 'utf8');
  const encoding = bytes === body.length ? 'latin1' : 'utf8';
  const length = mayTellLength(status, reply.request.method) ? { 'content-length': bytes } : {};
  raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers, ...length });
  raw.end(body, encoding);
}

/** RFC 9110 §8.6: never with 204, and of HEAD and with 304 only what GET would say, which is not known here. */
const mayTellLength = (status: number, method: string): boolean =>
  status !== 204 && status !== 304 && method !== 'HEAD';
