import { Body, Controller, Delete, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { InspectorReply } from '@lib/contracts';
import type { IntrospectionRule } from '@lib/domain/introspection';
import { SimulatedInspector } from '@lib/usecases/simulated-inspector';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requiredJsonBody } from './body';
import { minorVersion } from './microversion';
import { send } from './send';

/** From 1.6 on a created rule is answered 201; the only thing that the version changes (contract: inspector-api.md §1). */
const CREATED_MINOR = 6;

const links = (uuid: string) => [{ rel: 'self', href: `/v1/rules/${uuid}` }];

const full = (reply: InspectorReply): InspectorReply =>
  reply.status < 300
    ? { ...reply, body: { ...(reply.body as object), links: links((reply.body as IntrospectionRule).uuid) } }
    : reply;

const summary = ({ uuid, description, scope }: IntrospectionRule) => ({ uuid, description, scope, links: links(uuid) });

/** Introspection rules (contract: inspector-api.md §3.8). */
@Controller('v1/rules')
export class RulesController {
  constructor(@Inject(SimulatedInspector) private readonly inspector: SimulatedInspector) {}

  @Get()
  list(@Res() reply: FastifyReply): void {
    send(reply, { status: 200, body: { rules: this.inspector.rules().map(summary) } });
  }

  @Post()
  async create(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const status = minorVersion(request.headers) < CREATED_MINOR ? 200 : 201;
    send(reply, full(await this.inspector.createRule(requiredJsonBody(body), status)));
  }

  @Delete()
  async removeAll(@Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.inspector.removeRules());
  }

  @Get(':uuid')
  async show(@Param('uuid') uuid: string, @Res() reply: FastifyReply): Promise<void> {
    send(reply, full(await this.inspector.rule(uuid)));
  }

  @Delete(':uuid')
  async remove(@Param('uuid') uuid: string, @Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.inspector.removeRule(uuid));
  }
}
