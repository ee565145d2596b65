import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { InspectorReply, IntrospectionStatus } from '@lib/contracts';
import { invalid } from '@lib/domain/introspection';
import { type ListQuery, SimulatedInspector } from '@lib/usecases/simulated-inspector';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonBody, queryBoolean, requiredJsonBody } from './body';
import { baseUrl, send } from './send';

const withLinks = (request: FastifyRequest, status: IntrospectionStatus): unknown => ({
  ...status,
  links: [{ rel: 'self', href: `${baseUrl(request)}/v1/introspection/${status.uuid}` }],
});

const statusWithLinks = (request: FastifyRequest, reply: InspectorReply): InspectorReply =>
  reply.status === 200 ? { ...reply, body: withLinks(request, reply.body as IntrospectionStatus) } : reply;

const single = (name: string, value: unknown): string | undefined => {
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(`${name} may be given once`);
};

/** Introspection of nodes (contract: inspector-api.md §3.1-3.7). */
@Controller('v1')
export class IntrospectionController {
  constructor(@Inject(SimulatedInspector) private readonly inspector: SimulatedInspector) {}

  @Post('continue')
  async continue(@Body() body: unknown, @Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.inspector.continue('rest', requiredJsonBody(body)));
  }

  @Get('introspection')
  async list(@Query() query: ListQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [limit, marker, state] = (['limit', 'marker', 'state'] as const).map((key) => single(key, query[key]));
    const answer = await this.inspector.list({
      ...(limit === undefined ? {} : { limit }),
      ...(marker === undefined ? {} : { marker }),
      ...(state === undefined ? {} : { state }),
    });
    if (answer.status !== 200) return send(reply, answer);
    const { introspection } = answer.body as { introspection: IntrospectionStatus[] };
    send(reply, { status: 200, body: { introspection: introspection.map((status) => withLinks(request, status)) } });
  }

  @Post('introspection/:node')
  async start(
    @Param('node') node: string,
    @Query('manage_boot') wish: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const manageBoot = queryBoolean('manage_boot', single('manage_boot', wish), true);
    send(reply, await this.inspector.start('rest', node, { manageBoot }));
  }

  @Get('introspection/:node')
  async status(@Param('node') node: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    send(reply, statusWithLinks(request, await this.inspector.status('rest', node)));
  }

  @Post('introspection/:node/abort')
  async abort(@Param('node') node: string, @Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.inspector.abort('rest', node));
  }

  @Get('introspection/:node/data')
  async data(@Param('node') node: string, @Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.inspector.data('rest', node, 'processed'));
  }

  @Get('introspection/:node/data/unprocessed')
  async unprocessed(@Param('node') node: string, @Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.inspector.data('rest', node, 'unprocessed'));
  }

  @Post('introspection/:node/data/unprocessed')
  async reapply(@Param('node') node: string, @Body() body: unknown, @Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.inspector.reapply('rest', node, jsonBody(body)));
  }
}
