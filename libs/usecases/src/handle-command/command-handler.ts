import { isRequestStream } from '@lib/contracts';
import type { Command, CommandEnvelope, Reply } from '@lib/contracts';
import { Refusal } from '@lib/domain';
import { LogUnavailable } from '@lib/ports';
import type { EventMeta, RecordedEvent } from '@lib/ports';
import { DataRefused, continueInspection, keepRefused } from '../continue-inspection';
import { MailboxFull } from '../mailbox';
import { AlreadyRecorded } from '../node-commits';
import { nodeEventOf } from '../node-streams';
import { answeredBefore, lookUpNode } from '../ramdisk-lookup';
import { recordHeartbeat } from '../record-heartbeat';
import { openCommand } from '../sealed-commands';
import { backfillAllocation, removeAllocation } from './allocations';
import { createNode } from './create-node';
import type { HandlerDeps } from './deps';
import { changeDeadline } from './change-deadline';
import { driveNode } from './drive-node';
import { patchNode } from './patch-node';
import { manageNode } from './manage-node';
import { intentIn, peersWord } from './peer-word';
import { answer } from './questions';
import { startWithData } from './start-with-data';
import { recordAnswer } from './record-answer';
import { removeNode } from './remove-node';
import { createResource, patchResource, removeResource } from './resources';
import { changeTraits } from './traits';
import { commitsUnder } from './under-conditions';

type Result = Readonly<Record<string, unknown>>;

/** The mailbox: that of the node where there is one. */
const nodeOf = (command: Command): string => ('nodeUuid' in command ? command.nodeUuid : null) ?? command.uuid;

/** Commands of the api: decided, appended, then answered. A repeated command is answered with its recorded outcome. */
export class CommandHandler {
  constructor(private readonly deps: HandlerDeps) {}

  async handle(envelope: CommandEnvelope): Promise<Reply> {
    try {
      const command = openCommand(envelope.command, this.deps.transport);
      return { ok: true, result: await this.outcome({ ...envelope, command }) };
    } catch (error) {
      return this.refusal(error, envelope);
    }
  }

  private async outcome(envelope: CommandEnvelope): Promise<Result> {
    try {
      return await this.decided(envelope);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      return this.afterTrouble(envelope, error);
    }
  }

  /** The store failed on the way: whether that was before the append or after it, only the log can tell. */
  private async afterTrouble(envelope: CommandEnvelope, trouble: LogUnavailable): Promise<Result> {
    try {
      const events = await this.deps.reader.readCommand(envelope.commandId);
      if (events.length > 0) return await this.recorded(envelope, events);
    } catch (error) {
      throw error instanceof LogUnavailable ? new LogUnavailable(trouble.message, true) : error;
    }
    throw trouble;
  }

  private async decided(envelope: CommandEnvelope): Promise<Result> {
    if (envelope.command.type === 'RecallOutcome') {
      return this.recorded(envelope, await this.deps.reader.readCommand(envelope.commandId));
    }
    try {
      return await this.afterRelease(envelope);
    } catch (error) {
      if (error instanceof AlreadyRecorded) return this.recorded(envelope, error.events);
      if (!(error instanceof Refusal) || error.code === 'PEER_FAILED') throw error;
      // A repeated command meets the state that its first sending made.
      const events = await this.deps.reader.readCommand(envelope.commandId);
      if (events.length > 0) return this.recorded(envelope, events);
      const { command } = envelope;
      // Only now it is sure that the data was not taken by an earlier sending.
      if (error instanceof DataRefused && command.type === 'ContinueInspection')
        await keepRefused(error.node, command, this.meta(envelope), this.deps);
      throw error;
    }
  }

  /** Waits for a reservation's release, in all at most the configured time (architecture, rule 11). */
  private async afterRelease(envelope: CommandEnvelope): Promise<Result> {
    const { clock, options, commits } = this.deps;
    const giveUpAt = clock.now() + options.releaseWaitMs;
    for (;;) {
      try {
        return await this.execute(envelope);
      } catch (error) {
        if (!(error instanceof Refusal) || !error.waitsForRelease || clock.now() >= giveUpAt) throw error;
        await commits.signals.waitFor(nodeOf(envelope.command), ({ node }) => !node?.reservation, giveUpAt);
      }
    }
  }

  private async execute(envelope: CommandEnvelope): Promise<Result> {
    const { command } = envelope;
    const deps = { ...this.deps, commits: commitsUnder(envelope, this.deps.commits, this.deps.reader) };
    const meta = this.meta(envelope);
    switch (command.type) {
      case 'CreateNode':
        await createNode(command, meta, deps);
        return {};
      case 'PatchNode':
        await patchNode(command, meta, deps);
        return {};
      case 'RemoveNode':
        await removeNode(command.uuid, meta, deps);
        return {};
      case 'CreateResource': {
        const { kind, nodeUuid } = command;
        if (kind === 'allocation' && nodeUuid !== null) await backfillAllocation({ ...command, nodeUuid }, meta, deps);
        else await createResource(command, meta, deps);
        return {};
      }
      case 'PatchResource':
        await patchResource(command, meta, deps);
        return {};
      case 'RemoveResource':
        if (command.kind === 'allocation') await removeAllocation(command, meta, deps);
        else await removeResource(command, meta, deps);
        return {};
      case 'ChangeTraits':
        await changeTraits(command, meta, deps);
        return {};
      case 'ChangeDeadline':
        await changeDeadline(command, meta, deps);
        return {};
      case 'PromoteRefused':
      case 'ReprocessData':
        await startWithData(command, meta, deps);
        return {};
      case 'LookUpNode':
        return { ...(await lookUpNode(command, meta, deps)) };
      case 'RecordHeartbeat':
        await recordHeartbeat(command, meta, deps);
        return {};
      case 'ContinueInspection':
        return { ...(await continueInspection(command, meta, deps)) };
      case 'RecordAnswer':
        return { ...(await recordAnswer(command, meta, deps)) };
      case 'RecallOutcome':
        return {};
      case 'Manage':
      case 'SetTargetRaid': {
        const { events, recorded } = await manageNode(command, meta, deps);
        return this.awaitPeer(command.uuid, events, recorded.at(-1)?.version ?? 0);
      }
      case 'ValidateNode':
      case 'ReadBootDevice':
      case 'ListBootDevices':
      case 'AskMachine':
        return answer(command, deps);
      default: {
        const { events, recorded } = await driveNode(command, meta, deps);
        return this.awaitPeer(command.uuid, events, recorded.at(-1)?.version ?? 0);
      }
    }
  }

  private async recorded(envelope: CommandEnvelope, all: readonly RecordedEvent[]): Promise<Result> {
    const { command } = envelope;
    this.assertSameCommand(envelope, all);
    const recorded = all.filter(({ stream }) => !isRequestStream(stream));
    if (command.type === 'LookUpNode' || command.type === 'ContinueInspection') {
      return { ...(await answeredBefore(command, recorded, this.deps)) };
    }
    const events = recorded.map(nodeEventOf).filter((event) => event !== null);
    return this.awaitPeer(nodeOf(command), events, recorded.at(-1)?.version ?? 0);
  }

  /** A client that uses an id twice is told so: the outcome that is in the log is none of what it asks now. */
  private assertSameCommand(envelope: CommandEnvelope, [first]: readonly RecordedEvent[]): void {
    const { fingerprint } = JSON.parse(first?.meta ?? '{}') as Partial<EventMeta>;
    if (fingerprint === undefined || fingerprint === this.fingerprint(envelope)) return;
    const told = `The id ${envelope.commandId} belongs to another command, which was accepted. Nothing happened.`;
    throw new Refusal('COMMAND_ID_REUSED', told);
  }

  /** Of a request with a key it is the request that must be the same: the api may make another command of it later. */
  private fingerprint({ command, request }: CommandEnvelope): string {
    return request?.fingerprint ?? this.deps.transport.fingerprint(JSON.stringify(command));
  }

  private async awaitPeer(uuid: string, events: Parameters<typeof intentIn>[0], version: number): Promise<Result> {
    const intent = intentIn(events);
    return intent ? peersWord(uuid, intent, version, this.deps.commits, this.deps.reader) : {};
  }

  private meta(envelope: CommandEnvelope): EventMeta {
    const { commandId, requestId, globalRequestId, actor } = envelope;
    const { clock, options } = this.deps;
    const source = `conductor/${options.host}`;
    const fingerprint = this.fingerprint(envelope);
    const from = globalRequestId === undefined ? {} : { globalRequestId };
    return { commandId, requestId, ...from, actor, source, at: clock.now(), causation: null, fingerprint };
  }

  private refusal(error: unknown, { command, commandId, requestId }: CommandEnvelope): Reply {
    if (error instanceof Refusal) return { ok: false, code: error.code, message: error.message };
    if (error instanceof LogUnavailable) {
      return {
        ok: false,
        code: 'UNAVAILABLE',
        message: `The log can not be written now; ${error.outcomeUnknown ? 'the outcome is unknown' : 'nothing happened'}. ${error.message}`,
      };
    }
    if (error instanceof MailboxFull) {
      return { ok: false, code: 'NO_FREE_WORKER', message: `Nothing happened: ${error.message}. Please try again.` };
    }
    const stack = error instanceof Error ? error.stack : String(error);
    this.deps.logger.error(
      { node: nodeOf(command), commandId, requestId, command: command.type, stack },
      'a command failed by a bug',
    );
    return { ok: false, code: 'INTERNAL', message: error instanceof Error ? error.message : 'unexpected error' };
  }
}
