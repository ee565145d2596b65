import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Settings } from '@lib/contracts/settings';
import type { Chance, Clock, ConductorRow, EventReader, Logger, MessageBus, ReadModel, TransportBox } from '@lib/ports';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { commandTimeoutMs, CommandSender } from './commands';
import { ConductorBoard } from './conductors';
import type { Services } from './http';
import { ApiModule, newAdapter, readBodiesAsBytes, refuseTunnels } from './nest';
import { ApiServer } from './server';

export interface ApiDeps {
  readonly settings: Settings;
  readonly bus: MessageBus;
  /** Seals what may hold secrets before it goes to the bus. */
  readonly transport: TransportBox;
  /** First word of every subject. */
  readonly prefix: string;
  readonly readModel: ReadModel;
  readonly reader: EventReader;
  readonly liveness: { conductors(): Promise<ConductorRow[]> };
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  /** When a conductor gives up waiting for a peer's word, ms after the request. */
  readonly abortGiveUpMs: number;
}

export interface RunningApi {
  /** `http://address:port`, with the port in use. */
  readonly url: string;
  /** Takes no further request and lets those under way end. The ports handed in stay open. */
  stop(): Promise<void>;
}

/** Starts the API on `[api] host_ip` and `port`. Rejects when it cannot listen there. */
export async function startApi(deps: ApiDeps): Promise<RunningApi> {
  const server = new ApiServer(servicesOf(deps));
  const adapter = newAdapter(server);
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.with(server), adapter, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  readBodiesAsBytes(adapter.getInstance(), deps.settings);
  refuseTunnels(adapter.getInstance(), server);
  const { host_ip: host, port } = deps.settings.api;
  await app.listen(port, host);
  const { port: inUse } = app.getHttpServer().address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${inUse}`;
  deps.logger.info({ url }, 'the API listens');
  return { url, stop: () => app.close() };
}

function servicesOf(deps: ApiDeps): Services {
  const { settings, bus, prefix, readModel, reader, clock, chance, logger } = deps;
  const { node_locked_retry_attempts: attempts, node_locked_retry_interval: intervalS } = settings.conductor;
  const timeoutMs = commandTimeoutMs(attempts * intervalS * 1000, deps.abortGiveUpMs);
  return {
    settings,
    bus,
    prefix,
    readModel,
    reader,
    conductors: new ConductorBoard(deps.liveness, clock, settings.conductor.heartbeat_timeout * 1000),
    commands: new CommandSender({ bus, prefix, chance, clock, timeoutMs, transport: deps.transport }),
    clock,
    chance,
    transport: deps.transport,
    logger,
  };
}
