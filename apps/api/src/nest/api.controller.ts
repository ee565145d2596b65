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

/** As bytes: Fastify would add a charset to text, which the contract does not have. */
/** Bytes, since Fastify would add a charset to the type of a text. */
export async function send(reply: FastifyReply, answer: RawAnswer): Promise<void> {
  await reply
    .code(answer.status)
    .headers(answer.headers)
    .send(answer.body === '' ? undefined : Buffer.from(answer.body, 'utf8'));
}
