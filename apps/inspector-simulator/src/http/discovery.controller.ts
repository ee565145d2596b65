import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MINOR_MAX } from './microversion';
import { baseUrl, send } from './send';

/** The two discovery documents (contract: inspector-api.md §2). */
@Controller()
export class DiscoveryController {
  @Get()
  root(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const links = [{ rel: 'self', href: `${baseUrl(request)}/v1` }];
    send(reply, { status: 200, body: { versions: [{ id: `1.${MINOR_MAX}`, status: 'CURRENT', links }] } });
  }

  @Get('v1')
  v1(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const resources = ['continue', 'introspection', 'rules'].map((name) => ({
      name,
      links: [{ rel: 'self', href: `${baseUrl(request)}/v1/${name}` }],
    }));
    send(reply, { status: 200, body: { resources } });
  }
}
