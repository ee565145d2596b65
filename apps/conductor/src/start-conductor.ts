import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { outgoingHttp } from '@lib/adapters/outgoing-http';
import { CONDUCTOR_QUEUE, subjects } from '@lib/contracts';
import type { CommandEnvelope, DeadlineElapsed, Settings } from '@lib/contracts';
import type { HardwareTypes } from '@lib/domain';
import type {
  AgentCertificates,
  Chance,
  Clock,
  EffectLeases,
  EventLog,
  HardwareRegistry,
  Liveness,
  Logger,
  LogShelf,
  MessageBus,
  ReadModel,
  RecordedEvent,
  SecretBox,
  TransportBox,
} from '@lib/ports';
import {
  AllocationMatcher,
  CommandHandler,
  EffectWorker,
  IntrospectionSync,
  NodeCommits,
  answerDeadline,
  recoverNodes,
} from '@lib/usecases';
import { CommandsController } from './commands.controller';
import { Heartbeat } from './liveness';
import { logEvents } from './log-events';
import { capabilities, conductorOptions, effectLimits, leaseMs, projectionOptions, webserverCa } from './options';
import { powerSyncOf } from './power-sync';
import { standingOf, tellAlive } from './standing';
import type { Standing } from './standing';
import { COMMANDS, DEADLINES } from './tokens';
import { BusServer } from './transport/bus-server';

export interface ConductorDeps {
  readonly settings: Settings;
  readonly prefix: string;
  readonly bus: MessageBus;
  readonly log: EventLog;
  readonly readModel: ReadModel;
  readonly leases: EffectLeases;
  readonly liveness: Liveness;
  readonly box: SecretBox;
  readonly transport: TransportBox;
  readonly hardware: HardwareRegistry;
  readonly certificates: AgentCertificates;
  /** For the logs of ramdisks. */
  readonly logShelf: LogShelf;
  /** Types that exist; those that ship unless given. */
  readonly hardwareTypes?: HardwareTypes;
  /** Inspect interfaces of extensions whose peer is asked while nodes wait. */
  readonly reporting?: readonly string[];
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  /** Nobody else can hold leases of this store (one SQLite writer): those of dead predecessors are taken at once. */
  readonly soleWriter: boolean;
}

export interface Conductor {
  stop(): Promise<void>;
}

const WORKERS_MAX = 300;
const MAILBOX_DEPTH_MAX = 1000;
const CACHED_NODES_MAX = 20_000;

/** Events after which a deadline may have come or be open again: the scheduler is woken. */
const deadlineEvents: ReadonlySet<string> = new Set([
  'InspectionWaiting',
  'InspectionAbortRequested',
  'WorkWaiting',
  'InspectionAbortRefused',
  'BootDeviceChangeRequested',
  'BootDeviceChanged',
  'BootDeviceChangeRefused',
  'ManagementRequested',
  'ManagementDone',
  'ManagementFailed',
  'MaintenanceCleared',
  'PowerControlRegained',
  'DeadlineResumed',
  'NodeUpdated',
]);

/**
 * Wires the use cases to the bus and starts them; resolves when commands are served, which is after all that was
 * interrupted has been recovered.
 */
export async function startConductor(deps: ConductorDeps): Promise<Conductor> {
  const { settings, log, leases, hardware, box, transport, clock, chance, logger, readModel, bus, prefix } = deps;
  const options = conductorOptions(settings, deps.hardwareTypes);
  const commits = new NodeCommits({
    log,
    clock,
    host: options.host,
    projection: projectionOptions(settings),
    mailboxDepthMax: MAILBOX_DEPTH_MAX,
    cachedNodesMax: CACHED_NODES_MAX,
    onCommitted: logEvents(logger),
  });
  const id = chance.uuid();
  const handler = new CommandHandler({
    commits,
    reader: log,
    readModel,
    box,
    transport,
    hardware,
    certificates: deps.certificates,
    logShelf: deps.logShelf,
    clock,
    chance,
    logger,
    options,
  });
  const worker = new EffectWorker({
    commits,
    leases,
    reader: log,
    readModel,
    hardware,
    box,
    outgoing: outgoingHttp(webserverCa(settings)),
    logShelf: deps.logShelf,
    clock,
    chance,
    logger,
    options,
    limits: effectLimits(settings),
    owner: id,
    leaseMs: leaseMs(settings),
    workersMax: WORKERS_MAX,
    takeOver: settings.conductor.on_restart,
  });
  const sync = new IntrospectionSync({
    commits,
    readModel,
    hardware,
    box,
    clock,
    chance,
    logger,
    options,
    periodMs: settings.inspector.status_check_period * 1000,
    interfaces: ['inspector', ...(deps.reporting ?? [])],
    storeData: settings.inventory.data_backend !== 'none',
  });
  const powerSync = powerSyncOf(deps, { commits, options });
  const lookMs = settings.conductor.check_allocations_interval * 1000;
  const matcher = new AllocationMatcher({ commits, reader: log, readModel, clock, chance, logger, options, lookMs });
  const heartbeat = heartbeatOf(deps, options.host, id);
  const logId = await log.logId();
  const elapsed = (message: DeadlineElapsed) => {
    if (message.logId !== logId) throw new Error(`the scheduler serves log ${message.logId}, this conductor ${logId}`);
    return answerDeadline(message, { commits, hardware, clock, chance, box, readModel, options });
  };
  const alive = await tellAlive(bus, prefix, id);
  await heartbeat.arrive();
  const standing = await standingOf(standingDeps(deps, options.host, id));
  await takeOver(standing, deps);
  const lost = standing.alone && settings.conductor.on_restart === 'fail' ? 'all' : 'none';
  await recoverNodes(lost, { commits, readModel, hardware, clock, chance, logger, options });
  const unlisten = log.onCommit((events) => committed(events, worker, matcher, bus, prefix));
  const app = await serve(deps, (envelope) => handler.handle(envelope), elapsed);
  worker.start();
  sync.start();
  powerSync.start();
  matcher.start();
  await heartbeat.serve(standing.since);
  await forget(standing, deps);
  logger.info({ host: options.host, conductor: id, logId }, 'the conductor serves commands');
  return {
    async stop() {
      // A store that can not be written must not keep a conductor from stopping.
      const left = heartbeat.leave().catch((error: unknown) => {
        logger.warn({ reason: String(error) }, 'that this conductor leaves could not be written');
      });
      await app.close();
      await sync.stop();
      await powerSync.stop();
      await matcher.stop();
      await worker.stop(settings.conductor.graceful_shutdown_timeout * 1000);
      unlisten();
      await left;
      await alive.stop();
    },
  };
}

function standingDeps(
  { settings, liveness, bus, prefix, clock, soleWriter }: ConductorDeps,
  hostname: string,
  id: string,
) {
  const heartbeatTimeoutMs = settings.conductor.heartbeat_timeout * 1000;
  return { liveness, bus, prefix, clock, id, hostname, heartbeatTimeoutMs, soleWriter };
}

/** What dead processes held is free. */
async function takeOver({ predecessors }: Standing, { leases, liveness, soleWriter }: ConductorDeps): Promise<void> {
  if (soleWriter) await leases.release(null);
  else for (const { id } of predecessors) await leases.release(id);
  await liveness.forget(predecessors.filter(({ online }) => !online).map(({ id }) => id));
}

/**
 * Those that ended without a word are listed until this one serves: in between the host would be nobody's, and a client told
 * that no conductor serves its driver, where it had better come again in a moment.
 */
async function forget({ predecessors }: Standing, { liveness, logger }: ConductorDeps): Promise<void> {
  const silent = predecessors.filter(({ online }) => online);
  await liveness.forget(silent.map(({ id }) => id));
  for (const { id, hostname } of silent)
    logger.info({ conductor: id, host: hostname }, 'takes the place of a conductor that ended without a word');
}

function committed(
  events: readonly RecordedEvent[],
  worker: EffectWorker,
  matcher: AllocationMatcher,
  bus: MessageBus,
  prefix: string,
): void {
  worker.wake();
  if (events.some(({ type }) => type === 'AllocationCreated')) matcher.wake();
  if (events.some(({ type }) => deadlineEvents.has(type)))
    bus.hint(subjects.hint(prefix, 'deadlines'), new Uint8Array([1]));
}

function heartbeatOf(
  { settings, liveness, clock, logger, hardwareTypes }: ConductorDeps,
  hostname: string,
  id: string,
): Heartbeat {
  const { conductor, DEFAULT } = settings;
  return new Heartbeat({
    liveness,
    clock,
    logger,
    periodMs: conductor.heartbeat_interval * 1000,
    id,
    hostname,
    conductorGroup: conductor.conductor_group,
    drivers: [...DEFAULT.enabled_hardware_types].sort(),
    capabilities: JSON.stringify(capabilities(settings, hardwareTypes)),
  });
}

async function serve(
  { bus, prefix, logger }: ConductorDeps,
  commands: (envelope: CommandEnvelope) => unknown,
  deadlines: (message: DeadlineElapsed) => unknown,
) {
  class ConductorModule {}
  Module({
    controllers: [CommandsController],
    providers: [
      { provide: COMMANDS, useValue: commands },
      { provide: DEADLINES, useValue: deadlines },
    ],
  })(ConductorModule);
  const routes = {
    command: { subject: subjects.allCommands(prefix), queue: CONDUCTOR_QUEUE },
    deadline: { subject: subjects.allDeadlines(prefix), queue: CONDUCTOR_QUEUE },
  };
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(ConductorModule, {
    strategy: new BusServer(bus, routes, logger),
    logger: false,
  });
  await app.listen();
  return app;
}
