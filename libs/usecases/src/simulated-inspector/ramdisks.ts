import type { InspectorReply } from '@lib/contracts';
import { scriptedPayload, type ScriptName } from '@lib/domain/introspection';
import type { Timer } from '@lib/ports';
import type { NodeDocument } from './bare-metal-api';
import type { InspectorRoom, Plan } from './room';

export type PostData = (payload: unknown, note: string, node: string) => Promise<InspectorReply>;

/** The agent's pauses before it posts once more after 409 or 5xx (contract: ramdisk.md §3). */
const RETRY_PAUSES_MS = [5000, 5000, 6000, 12000];
const DEFAULT_AFTER_MS = 1000;

const postsByItself: readonly ScriptName[] = ['succeed', 'error', 'twice', 'late'];
const underInspection: readonly string[] = ['inspecting', 'inspect wait'];

interface Machine {
  readonly node: NodeDocument;
  readonly macs: readonly string[];
  readonly bmcAddress: string | null;
}

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
    const [bmcAddress = null] = this.room.rows.get(node.uuid)?.attributes.bmcAddresses ?? [];
    this.machines.set(node.uuid, { node, macs, bmcAddress });
    if (!postsByItself.includes(plan.script.script)) return;
    this.later(plan.script.afterMs ?? DEFAULT_AFTER_MS, node.uuid, plan, () => this.play(node.uuid, plan));
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
    if (script === 'late' && !(await this.hasEnded(uuid))) {
      this.later(this.room.parts.options.latePollMs, uuid, plan, () => this.play(uuid, plan));
      return;
    }
    await this.send(uuid, plan, script);
    if (script === 'twice') await this.send(uuid, plan, 'twice: the second time');
  }

  /** Whether the node's inspection is over for the Bare Metal API; while it does not answer, nobody knows. */
  private async hasEnded(uuid: string): Promise<boolean> {
    try {
      const node = await this.room.parts.api.node(uuid);
      return node === null || !underInspection.includes(node.provisionState);
    } catch {
      return false;
    }
  }

  private async send(uuid: string, plan: Plan, note: string, tried = 0): Promise<void> {
    const machine = this.machines.get(uuid);
    if (!machine || this.stopped) return;
    const facts = { uuid, macs: machine.macs, bmcAddress: machine.bmcAddress };
    const payload = scriptedPayload(plan.script, this.room.parts.options.inventories, facts);
    const { status } = await this.post(payload, note, uuid);
    const pauseMs = RETRY_PAUSES_MS[tried];
    if ((status === 409 || status >= 500) && pauseMs !== undefined) {
      this.later(pauseMs, uuid, plan, () => this.send(uuid, plan, note, tried + 1));
    }
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
