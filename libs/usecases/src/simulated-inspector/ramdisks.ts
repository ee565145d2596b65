import type { InspectorReply } from '@lib/contracts';
import { bootedWith, scriptedPayload, type ScriptName } from '@lib/domain/introspection';
import type { Timer } from '@lib/ports';
import type { NodeDocument } from './bare-metal-api';
import { pause } from './retries';
import type { InspectorRoom, Machine, Plan, RamdiskJob } from './room';

type WithoutDue<Job> = Job extends unknown ? Omit<Job, 'due'> : never;
type NewJob = WithoutDue<RamdiskJob>;

export type PostData = (payload: unknown, note: string, node: string) => Promise<InspectorReply>;

/** The agent's pauses before it posts once more after 409 or 5xx (contract: ramdisk.md §3). */
const RETRY_PAUSES_MS = [5000, 5000, 6000, 12000];
/** An answer that never comes ends the ramdisk's inspection; it does not post again (contract: ramdisk.md §3). */
const GIVEN_UP = 408;
const DEFAULT_AFTER_MS = 1000;
const SLOW_AFTER_MS = 30_000;

const postsByItself: readonly ScriptName[] = [
  'succeed',
  'error',
  'twice',
  'late',
  'slow',
  'after-abort',
  'malformed',
  'cache-lost',
  'ramdisk-error',
];
const underInspection: readonly string[] = ['inspecting', 'inspect wait'];

/** What each script that waits for a state waits for; null: the node is gone. */
const waitsFor: Readonly<Partial<Record<ScriptName, (state: string | null) => boolean>>> = {
  late: (state) => state === null || !underInspection.includes(state),
  'after-abort': (state) => state === null || state === 'inspect failed',
};

/** A body that was cut off on the way: no JSON. */
const halfOf = (payload: unknown): string => {
  const text = JSON.stringify(payload);
  return text.slice(0, text.length / 2);
};

/** The ramdisks of scripted nodes. A job belongs to one run and stops when another one began. */
export class Ramdisks {
  private readonly machines = new Map<string, Machine>();
  private readonly timers = new Set<Timer>();
  private stopped = false;

  constructor(
    private readonly room: InspectorRoom,
    private readonly post: PostData,
  ) {}

  /** The machine of a scripted node has booted. */
  boot(node: NodeDocument, macs: readonly string[], run: number): void {
    const plan = this.room.plans.get(node.uuid);
    if (plan?.run !== run) return;
    const row = this.room.rows.get(node.uuid);
    const [bmcAddress = null] = row?.attributes.bmcAddresses ?? [];
    const bootInterface = String(node.document['boot_interface']);
    plan.machine = { macs, bmcAddress, bootInterface, booted: null };
    if (this.room.parts.machines && row?.manageBoot === false) this.later(0, node.uuid, plan, { kind: 'boot' });
    else this.begin(node.uuid, plan);
  }

  /** It posts while nobody has read the node's ports yet, and is not heard of again (contract: ramdisk.md §8). */
  async bootEarly(node: NodeDocument): Promise<void> {
    const plan = this.room.plans.get(node.uuid);
    if (!plan) return;
    const macs = (await this.room.parts.api.ports(node.uuid)).map((port) => port.address.toLowerCase());
    plan.machine = { macs, bmcAddress: null, bootInterface: '', booted: null };
    await this.send(node.uuid, plan, 'early', RETRY_PAUSES_MS.length);
  }

  /** What was still to come when the process ended comes now, or when it is due. */
  goOn(): void {
    const now = this.room.parts.clock.now();
    for (const [uuid, plan] of this.room.plans) {
      for (const job of plan.jobs) this.arm(Math.max(0, job.due - now), uuid, plan, job);
    }
  }

  /** The first abort of a run whose script survives it: data may come after it. */
  abortSeen(uuid: string, plan: Plan): void {
    const { script, afterMs } = plan.script;
    if ((script !== 'refuse-abort' && script !== 'ignore-abort') || afterMs === null) return;
    this.later(afterMs, uuid, plan, { kind: 'send', note: `${script}: after the abort`, tried: 0 });
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) timer.cancel();
    this.timers.clear();
  }

  private begin(uuid: string, plan: Plan): void {
    const { script, afterMs } = plan.script;
    if (!postsByItself.includes(script)) return;
    this.later(afterMs ?? (script === 'slow' ? SLOW_AFTER_MS : DEFAULT_AFTER_MS), uuid, plan, { kind: 'play' });
  }

  /** Resolves with the time to wait before the job is looked at again; null: it is done. */
  private async perform(uuid: string, plan: Plan, job: RamdiskJob): Promise<number | null> {
    switch (job.kind) {
      case 'boot':
        return this.load(uuid, plan);
      case 'play':
        return this.play(uuid, plan);
      case 'send':
        return this.send(uuid, plan, job.note, job.tried);
    }
  }

  private async load(uuid: string, plan: Plan): Promise<null> {
    const { machines } = this.room.parts;
    const { machine } = plan;
    if (!machines || !machine) return null;
    const text = await machines.bootFile(machine.bootInterface, machine.macs);
    plan.machine = { ...machine, booted: text === null ? null : bootedWith(text) };
    this.begin(uuid, plan);
    return null;
  }

  private async play(uuid: string, plan: Plan): Promise<number | null> {
    const { script } = plan.script;
    const awaited = waitsFor[script];
    if (awaited && !(await this.isIn(uuid, awaited))) return this.room.parts.options.latePollMs;
    if (script === 'cache-lost') await this.forget(uuid);
    await this.send(uuid, plan, script, 0);
    if (script === 'twice') await this.send(uuid, plan, 'twice: the second time', 0);
    return null;
  }

  /** What the Bare Metal API says of the node's state; while it does not answer, nobody knows. */
  private async isIn(uuid: string, awaited: (state: string | null) => boolean): Promise<boolean> {
    try {
      return awaited((await this.room.parts.api.node(uuid))?.provisionState ?? null);
    } catch {
      return false;
    }
  }

  /** As an inspector that lost its cache (contract: inspector-api.md §6): it has never heard of the node. */
  private async forget(uuid: string): Promise<void> {
    const release = await this.room.locks.take(uuid);
    this.room.rows.delete(uuid);
    this.room.attempts.delete(uuid);
    this.room.touched(uuid);
    release();
  }

  private async send(uuid: string, plan: Plan, note: string, tried: number): Promise<null> {
    const { machine, script } = plan;
    if (!machine || this.stopped) return null;
    const { macs, bmcAddress, booted } = machine;
    const facts = { uuid, macs, bmcAddress, bootif: booted?.bootif ?? null, collectors: booted?.collectors ?? null };
    const payload = scriptedPayload(script, this.room.parts.options.inventories, facts);
    const body = script.script === 'malformed' ? halfOf(payload) : payload;
    const status = await this.postOf(uuid, machine, body, note, script.body.overMs);
    const pauseMs = RETRY_PAUSES_MS[tried];
    if ((status === 409 || status >= 500) && pauseMs !== undefined) {
      this.later(pauseMs, uuid, plan, { kind: 'send', note, tried: tried + 1 });
    }
    return null;
  }

  /** To the inspector itself, or to the first address of its command line that answers; 503 where none does. */
  private async postOf(
    uuid: string,
    { booted }: Machine,
    payload: unknown,
    note: string,
    overMs: number,
  ): Promise<number> {
    const { machines, clock } = this.room.parts;
    if (!booted || !machines) {
      if (overMs > 0) await pause(clock, overMs);
      return (await this.post(payload, note, uuid)).status;
    }
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    for (const url of booted.callbackUrls) {
      const status = await machines.post(url, body, overMs).catch(() => null);
      if (status !== null) return status === 'timed out' ? GIVEN_UP : status;
    }
    return 503;
  }

  private later(delayMs: number, uuid: string, plan: Plan, job: NewJob): void {
    if (this.stopped) return;
    const entry = { ...job, due: this.room.parts.clock.now() + delayMs };
    plan.jobs = [...plan.jobs, entry];
    this.room.touched(uuid);
    this.arm(delayMs, uuid, plan, entry);
  }

  private arm(delayMs: number, uuid: string, plan: Plan, job: RamdiskJob): void {
    if (this.stopped) return;
    const timer = this.room.parts.clock.after(delayMs, () => {
      this.timers.delete(timer);
      if (this.room.plans.get(uuid) === plan) this.room.background('ramdisk', uuid, () => this.run(uuid, plan, job));
    });
    this.timers.add(timer);
  }

  private async run(uuid: string, plan: Plan, job: RamdiskJob): Promise<void> {
    let againMs: number | null = null;
    try {
      againMs = await this.perform(uuid, plan, job);
    } finally {
      // What a stop interrupted is still to be done, by the process that comes next.
      if (!this.stopped && againMs === null) {
        plan.jobs = plan.jobs.filter((other) => other !== job);
        this.room.touched(uuid);
      }
    }
    if (againMs !== null) this.arm(againMs, uuid, plan, job);
  }
}
