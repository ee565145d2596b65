import { CONDUCTOR_QUEUE, decode, encode, subjects } from '@lib/contracts';
import type { CommandEnvelope, DeadlineElapsed } from '@lib/contracts';
import type { Policy } from '@lib/domain';
import type {
  Chance,
  Clock,
  EffectLeases,
  EventLog,
  HardwareRegistry,
  KeyStore,
  Logger,
  MessageBus,
  OutgoingHttp,
  ReadModel,
} from '@lib/ports';
import { secretBox, transportBox } from '@lib/adapters/secret-box';
import {
  AllocationMatcher,
  CommandHandler,
  EffectWorker,
  IntrospectionSync,
  NodeCommits,
  answerDeadline,
  recoverNodes,
} from '@lib/usecases';
import type { ConductorOptions, EffectLimits } from '@lib/usecases';
import { MemoryCertificates } from './certificates';
import { MemoryLogShelf } from './log-shelf';
import { conductorOptions, limits } from './options';
import type { InspectionSetup } from './options';

export interface ConductorSetup {
  readonly host?: string;
  readonly policy?: Partial<Policy>;
  readonly workersMax?: number;
  readonly leaseMs?: number;
  readonly mailboxDepthMax?: number;
  /** Of the status sync; 0: it asks only when a spec lets it run. */
  readonly syncPeriodMs?: number;
  /** Inspect interfaces whose peer is asked; `inspector` unless given. */
  readonly reporting?: readonly string[];
  readonly storeData?: boolean;
  /** Allocations are matched; otherwise they stay as they were created. */
  readonly matchesAllocations?: boolean;
  /** What becomes of a ramdisk's data. */
  readonly inspection?: InspectionSetup;
  readonly limits?: Partial<EffectLimits>;
  /** Without it the defaults of the settings. */
  readonly concurrency?: ConductorOptions['concurrency'];
  /** `[conductor] on_restart`. */
  readonly onRestart?: 'resume' | 'fail';
  /** Given: it recovers before it serves, knowing whether another one may be at work. */
  readonly alone?: boolean;
}

export interface ConductorPlace {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  readonly bus: MessageBus;
  readonly prefix: string;
  readonly log: EventLog;
  readonly readModel: ReadModel;
  readonly leases: EffectLeases;
  readonly keyStore: KeyStore;
  readonly hardware: HardwareRegistry;
  /** For the calls of inspection rules; unless given, nobody is there. */
  readonly outgoing?: OutgoingHttp;
}

const nobody: OutgoingHttp = { get: () => Promise.reject(new Error('ECONNREFUSED')) };

/** Of every conductor here. */
export const MASTER_KEY = new Uint8Array(32).fill(7);

/** The use cases wired as the conductor wires them, for specs that want to hold each of them. */
export interface WorldConductor {
  readonly commits: NodeCommits;
  readonly handler: CommandHandler;
  readonly worker: EffectWorker;
  readonly sync: IntrospectionSync;
  readonly certificates: MemoryCertificates;
  readonly logShelf: MemoryLogShelf;
  /** Gives its leases back and answers nobody any more. */
  stop(): Promise<void>;
  /** As if its process were killed: it answers nobody, works no more and gives nothing back. */
  kill(): Promise<void>;
}

export async function openConductor(place: ConductorPlace, setup: ConductorSetup): Promise<WorldConductor> {
  const { clock, log, readModel, leases, keyStore, hardware, chance, logger, bus, prefix } = place;
  const usual = conductorOptions(setup.host ?? 'conductor-1', setup.policy, setup.inspection);
  const options = { ...usual, concurrency: setup.concurrency ?? usual.concurrency };
  const box = secretBox({ masterKey: MASTER_KEY, keys: keyStore, chance });
  const commits = new NodeCommits({
    log,
    clock,
    host: options.host,
    projection: { errorCharsMax: 4096, historyEntriesMax: 300 },
    mailboxDepthMax: setup.mailboxDepthMax ?? 1000,
    cachedNodesMax: 20_000,
  });
  const transport = transportBox(MASTER_KEY, chance);
  const parts = { commits, hardware, clock, chance, logger, options };
  const certificates = new MemoryCertificates();
  const logShelf = new MemoryLogShelf();
  const handler = new CommandHandler({ ...parts, reader: log, readModel, box, transport, certificates, logShelf });
  let dead = false;
  const worker = new EffectWorker({
    ...parts,
    box,
    outgoing: place.outgoing ?? nobody,
    logShelf,
    reader: log,
    readModel,
    leases: {
      claim: async (...args) => (dead ? [] : leases.claim(...args)),
      renew: async (...args) => !dead && leases.renew(...args),
      release: (owner) => leases.release(owner),
    },
    limits: { ...limits, ...setup.limits },
    owner: `${options.host}/${chance.uuid()}`,
    leaseMs: setup.leaseMs ?? 15_000,
    workersMax: setup.workersMax ?? 300,
    takeOver: setup.onRestart,
  });
  // A store that fails, or a death on the way, is the start's end: only those who ask for recovery wait for it.
  if (setup.alone !== undefined) {
    if (setup.alone) await leases.release(null);
    await recoverNodes(setup.alone && setup.onRestart === 'fail' ? 'all' : 'none', { ...parts, readModel });
  }
  const sync = new IntrospectionSync({
    ...parts,
    box,
    readModel,
    periodMs: setup.syncPeriodMs ?? 0,
    interfaces: setup.reporting ?? ['inspector'],
    storeData: setup.storeData ?? true,
  });
  const matcher = new AllocationMatcher({ ...parts, reader: log, readModel });
  const unheard = (): void => undefined;
  const serve = (subject: string, answer: (body: Uint8Array) => Promise<unknown>) =>
    bus.serve(subject, CONDUCTOR_QUEUE, async ({ body }) => encode(await answer(body)), unheard);
  const served = [
    await serve(subjects.allDeadlines(prefix), (body) =>
      answerDeadline(decode<DeadlineElapsed>(body), { ...parts, box, readModel }),
    ),
    await serve(subjects.allCommands(prefix), (body) => handler.handle(decode<CommandEnvelope>(body))),
  ];
  const unlisten = log.onCommit(() => {
    if (setup.matchesAllocations) matcher.wake();
    worker.wake();
    bus.hint(subjects.hint(prefix, 'deadlines'), new Uint8Array([1]));
  });
  worker.start();
  sync.start();
  if (setup.matchesAllocations) matcher.start();
  const leave = (): void => {
    unlisten();
    for (const subscription of served) void subscription.stop();
  };
  return {
    commits,
    handler,
    worker,
    sync,
    certificates,
    logShelf,
    async stop() {
      leave();
      await sync.stop();
      await matcher.stop();
      await worker.stop(0);
    },
    async kill() {
      dead = true;
      leave();
      await sync.stop();
      await matcher.stop();
    },
  };
}
