import { decide, isPowerSynced, lostPower } from '@lib/domain';
import type { Node, NodeStream, PowerSeen, PowerState } from '@lib/domain';
import type { Chance, Clock, Condition, HardwareRegistry, Logger, ReadModel, SecretBox } from '@lib/ports';
import type { ConductorOptions } from '../handle-command';
import { machineOf } from '../machine';
import type { NodeCommits } from '../node-commits';
import { NodeRound } from '../node-round';
import type { Round } from '../node-round';
import { Failures } from './failures';
import type { Placed } from './place';

export interface PowerSyncOptions {
  /** `[conductor] sync_power_state_interval`; 0: off. */
  readonly periodMs: number;
  /** `[conductor] power_failure_recovery_interval`; 0: off. */
  readonly recoveryPeriodMs: number;
  /** Machines that are asked at a time. */
  readonly workers: number;
  /** So many failures in a row are borne. */
  readonly retriesMax: number;
  /** `[conductor] force_power_state_during_sync`. */
  readonly putsRight: boolean;
  /** A machine that says nothing for longer counts as one that does not answer. */
  readonly answerMs: number;
}

export interface PowerSyncDeps {
  readonly commits: NodeCommits;
  readonly readModel: ReadModel;
  readonly hardware: HardwareRegistry;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  readonly options: ConductorOptions;
  readonly power: PowerSyncOptions;
  /** Which nodes are this conductor's to look at; asked once a pass, so that conductors share them. */
  share(): Promise<(node: Placed) => boolean>;
}

type Kind = 'sync' | 'recovery';

const among: Readonly<Record<Kind, Condition>> = {
  sync: { column: 'maintenance', is: 'equal', value: false },
  recovery: { column: 'fault', is: 'equal', value: 'power failure' },
};

const concerns: Readonly<Record<Kind, (node: Node) => boolean>> = { sync: isPowerSynced, recovery: lostPower };

/**
 * The power sync and the recovery of nodes with a power failure (contract: config.md [conductor]). A machine in the recorded
 * state leaves no trace in the log; of two conductors that see the same difference the append takes one.
 */
export class PowerSync {
  private readonly rounds: Readonly<Record<Kind, NodeRound>>;
  private readonly failures = new Failures();
  /** Ends the questions that are open. */
  private readonly asking = new Set<() => void>();

  constructor(private readonly deps: PowerSyncDeps) {
    const { periodMs, recoveryPeriodMs } = deps.power;
    this.rounds = { sync: this.roundOf('sync', periodMs), recovery: this.roundOf('recovery', recoveryPeriodMs) };
  }

  start(): void {
    for (const round of Object.values(this.rounds)) round.start();
  }

  async stop(): Promise<void> {
    const stopped = Object.values(this.rounds).map((round) => round.stop());
    for (const end of this.asking) end();
    await Promise.all(stopped);
  }

  /** One look at all nodes of this conductor. */
  run(kind: Kind): Promise<void> {
    return this.rounds[kind].run();
  }

  private roundOf(kind: Kind, periodMs: number): NodeRound {
    const round: Round = {
      periodMs,
      workers: this.deps.power.workers,
      words: {
        cutShort: `the power ${kind} was cut short`,
        missed: 'what the power of a machine shows is not recorded',
      },
      among: () => this.among(kind),
      lookAt: (uuid) => this.lookAt(kind, uuid),
      // Not where a pass was cut short: it did not get to every node.
      done: () => void (kind === 'sync' && this.failures.forgetUnseen()),
    };
    return new NodeRound(round, this.deps);
  }

  /** Nodes of this conductor whose enabled interface asks a machine. */
  private async among(kind: Kind): ReturnType<Round['among']> {
    const { hardware, options, share } = this.deps;
    const values = options.interfaces.enabled.power.filter((name) => hardware.power(name).remembersOnly !== true);
    if (values.length === 0) return null;
    const isMine = await share();
    const where: Condition[] = [among[kind], { column: 'power_interface', is: 'in', values }];
    return { where, isMine: (json) => isMine(JSON.parse(json) as Placed) };
  }

  private async lookAt(kind: Kind, uuid: string): Promise<void> {
    // Not what is remembered: another conductor may have moved the node on long ago, and nothing else tells this one.
    const { stream } = await this.deps.commits.streams.load(uuid, false);
    const { node } = stream;
    if (!node || !concerns[kind](node)) return;
    const read = await this.read(node);
    if (this.rounds[kind].signal.aborted) return;
    const seen = kind === 'sync' ? this.judged(node, read) : restored(read);
    if (seen) await this.note(uuid, seen, stream);
  }

  private async read(node: Node): Promise<Read> {
    const { clock, power, hardware, box } = this.deps;
    const limit = new AbortController();
    const passed = new Promise<never>((_, reject) => {
      limit.signal.addEventListener('abort', () => reject(new Error(`no answer within ${power.answerMs / 1000} s`)));
    });
    // Nobody waits for it any more once the machine has answered.
    passed.catch(() => undefined);
    const end = (): void => limit.abort();
    const timer = clock.after(power.answerMs, end);
    this.asking.add(end);
    const call = { signal: limit.signal, stillStands: () => Promise.resolve() };
    try {
      const machine = await machineOf(node, box);
      return { state: await Promise.race([hardware.power(node.fields.power_interface).read(machine, call), passed]) };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    } finally {
      timer.cancel();
      this.asking.delete(end);
      end();
    }
  }

  /** Null: nothing to be noted, or not yet. */
  private judged(node: Node, read: Read): PowerSeen | null {
    const { retriesMax, putsRight } = this.deps.power;
    const { uuid, powerState } = node;
    if ('problem' in read) {
      const times = this.failures.another(uuid);
      this.deps.logger.warn({ node: uuid, times, reason: read.problem }, 'the power of a machine can not be read');
      if (times <= retriesMax) return null;
      return { lost: `The power could not be read ${times} times in a row: ${read.problem}` };
    }
    const { state } = read;
    if (state === null || state === powerState) {
      this.failures.none(uuid);
      return null;
    }
    const times = this.failures.another(uuid);
    if (powerState !== null && putsRight && times > retriesMax) {
      return { lost: `The machine was found in "${state}" ${times} times in a row, and not in "${powerState}".` };
    }
    return { state, putRight: putsRight };
  }

  private async note(uuid: string, seen: PowerSeen, before: NodeStream): Promise<void> {
    const { commits, chance, clock, options } = this.deps;
    const now = clock.now();
    const meta = {
      commandId: chance.uuid(),
      requestId: null,
      actor: null,
      source: `conductor/${options.host}`,
      at: now,
      causation: 'power sync',
    };
    const context = { now, host: options.host, policy: options.policy };
    await commits.commit(uuid, meta, ({ stream }) => ({
      events: isNews(before, stream) ? decide({ type: 'NotePower', seen }, stream, context) : [],
    }));
    if ('lost' in seen) this.failures.none(uuid);
  }
}

type Read = { readonly state: PowerState | null } | { readonly problem: string };

/** Where anything was done with the machine while it was asked, its answer may be from before that. */
const isNews = (before: NodeStream, { counters, node }: NodeStream): boolean =>
  counters.effect === before.counters.effect && node?.powerState === before.node?.powerState;

/** What brings a node with a power failure back. */
const restored = (read: Read): PowerSeen | null =>
  'problem' in read || read.state === null ? null : { state: read.state, putRight: false };
