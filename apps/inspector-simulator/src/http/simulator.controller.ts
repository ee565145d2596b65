import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { isLoopback } from '@lib/domain/introspection';
import { errorBody, SimulatedInspector } from '@lib/usecases/simulated-inspector';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { send } from './send';

export const READINESS = Symbol('readiness');

const fromThisHost = (request: FastifyRequest): boolean =>
  isLoopback((request.raw.socket.remoteAddress ?? '').replace(/^::ffff:/, ''));

/** What the simulator adds to the inspector's API: readiness, and a record of what it was asked. */
@Controller('ferrolog/v1')
export class SimulatorController {
  constructor(
    @Inject(SimulatedInspector) private readonly inspector: SimulatedInspector,
    @Inject(READINESS) private readonly isReady: () => boolean,
  ) {}

  @Get('ready')
  ready(@Res() reply: FastifyReply): void {
    const ready = this.isReady();
    send(reply, { status: ready ? 200 : 503, body: { ready } });
  }

  @Get('simulator/log')
  log(@Query('node') node: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (!fromThisHost(request)) return send(reply, { status: 403, body: errorBody('Only for this host') });
    const entries = this.inspector.requests.read(typeof node === 'string' ? node : undefined);
    send(reply, { status: 200, body: { entries } });
  }
}
