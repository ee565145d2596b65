import type { InspectorReply } from '@lib/contracts';
import { bootedWith, type BootedWith, scriptedPayload, type ScriptName } from '@lib/domain/introspection';
import type { Timer } from '@lib/ports';
import type { NodeDocument } from './bare-metal-api';
import type { InspectorRoom, Plan } from './room';

export type PostData = (payload: unknown, note: string, node: string) => Promise<InspectorReply>;

/** The agent's pauses before it posts once more after 409 or 5xx (contract: ramdisk.md §3). */
const RETRY_PAUSES_MS = [5000, 5000, 6000, 12000];
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
];
const underInspection: readonly string[] = ['inspecting', 'inspect wait'];

interface Machine {
  readonly node: NodeDocument;
  readonly macs: readonly string[];
  readonly bmcAddress: string | null;
  /** What its boot file says; null: it was booted by the inspector or by hand, and posts here. */
  readonly booted: BootedWith | null;
}

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
    const { machines } = this.room.parts;
    const begin = (booted: BootedWith | null): void => {
      this.machines.set(node.uuid, { node, macs, bmcAddress, booted });
      const { script, afterMs } = plan.script;
      if (!postsByItself.includes(script)) return;
      const delayMs = afterMs ?? (script === 'slow' ? SLOW_AFTER_MS : DEFAULT_AFTER_MS);
      this.later(delayMs, node.uuid, plan, () => this.play(node.uuid, plan));
    };
    if (!machines || row?.manageBoot !== false) return begin(null);
    this.room.background('boot', node.uuid, async () => {
      const text = await machines.bootFile(String(node.document['boot_interface']), macs);
      begin(text === null ? null : bootedWith(text));
    });
  }

  /** The first abort of a run whose script survives it: data may come after it. */
  abortSeen(uuid: string, plan: Plan): void {
    const { script, afterMs } = plan.script;
    if ((script !== 'refuse-abort' && script !== 'ignore-abort') || afterMs === null) return;
    this.later(afterMs, uuid, plan, () => this.send(uuid, plan, `${script}: after the abort`));
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) timer.cancel();
    this.timers.clear();
  }

  private async play(uuid: string, plan: Plan): Promise<void> {
    const { script } = plan.script;
    const awaited = waitsFor[script];
    if (awaited && !(await this.isIn(uuid, awaited))) {
      this.later(this.room.parts.options.latePollMs, uuid, plan, () => this.play(uuid, plan));
      return;
    }
    if (script === 'cache-lost') await this.forget(uuid);
    await this.send(uuid, plan, script);
    if (script === 'twice') await this.send(uuid, plan, 'twice: the second time');
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
    release();
  }

  private async send(uuid: string, plan: Plan, note: string, tried = 0): Promise<void> {
    const machine = this.machines.get(uuid);
    if (!machine || this.stopped) return;
    const { script } = plan.script;
    const facts = { uuid, macs: machine.macs, bmcAddress: machine.bmcAddress, bootif: machine.booted?.bootif ?? null };
    const payload = scriptedPayload(plan.script, this.room.parts.options.inventories, facts);
    const status = await this.postOf(machine, script === 'malformed' ? halfOf(payload) : payload, note);
    const pauseMs = RETRY_PAUSES_MS[tried];
    if ((status === 409 || status >= 500) && pauseMs !== undefined) {
      this.later(pauseMs, uuid, plan, () => this.send(uuid, plan, note, tried + 1));
    }
  }

  /** To the inspector itself, or to the first address of its command line that answers; 503 where none does. */
  private async postOf({ node, booted }: Machine, payload: unknown, note: string): Promise<number> {
    const { machines } = this.room.parts;
    if (!booted || !machines) return (await this.post(payload, note, node.uuid)).status;
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    for (const url of booted.callbackUrls) {
      const status = await machines.post(url, body).catch(() => null);
      if (status !== null) return status;
    }
    return 503;
  }

  private later(delayMs: number, uuid: string, plan: Plan, job: () => Promise<void>): void {
    if (this.stopped) return;
    const timer = this.room.parts.clock.after(delayMs, () => {
      this.timers.delete(timer);
      if (this.room.plans.get(uuid)?.run === plan.run) this.room.background('ramdisk', uuid, job);
    });
    this.timers.add(timer);
  }
}
