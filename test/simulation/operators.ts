import type { Command } from '@lib/contracts';
import { nextState } from '@lib/domain';
import type { Deadline, DeadlineChange, Node } from '@lib/domain';
import { maintain, provision, unmaintain } from '../world';
import { inventoryOf } from './clients';
import type { Fate } from './fate';

/** A request, and how long its operator waits before it is sent. */
export interface Wish {
  readonly command: Command;
  readonly afterMs: number;
}

/** Shorter than the calm, so that what was moved passes before the reckoning. */
const MOVE_MS_MAX = 40_000;
const PATIENCE_MS_MAX = 45_000;
/** How near to its time a deadline is spoken of, to meet its timeout on the way. */
const NEAR_MS = 40;
const reasons = [null, 'the rack has no power', 'wrong image: take the other one'] as const;

/** Those who watch the waits of a day: they move, pause and resume deadlines, abort with a reason and use data that is there. */
export class Operators {
  constructor(private readonly fate: Fate) {}

  /** Null: nobody finds anything to do. */
  next(uuids: readonly string[], nodeOf: (uuid: string) => Node | null, now: number): Wish | null {
    const { fate } = this;
    if (!fate.happens(0.45)) return null;
    const there = uuids.flatMap((uuid) => nodeOf(uuid) ?? []);
    if (there.length === 0) return null;
    const waiting = there.filter((node) => waitOf(node));
    const node = fate.pick(waiting.length > 0 && fate.happens(0.8) ? waiting : there);
    return this.about(node, now);
  }

  private about(node: Node, now: number): Wish {
    const { fate } = this;
    const { uuid } = node;
    const wait = waitOf(node);
    const late = this.lateMs(wait, now);
    const at = (command: Command, afterMs = late): Wish => ({ command, afterMs });
    const isFree = nextState(node.provisionState, 'inspect') === 'inspecting';
    return fate.weighed<() => Wish>([
      [
        wait ? 6 : 0.3,
        () => at({ type: 'ChangeDeadline', uuid, change: this.change(wait, now), reason: this.reason() }),
      ],
      [wait ? 1.5 : 0.2, () => at(this.abort(uuid))],
      [1, () => at(node.fields.maintenance ? unmaintain(uuid) : maintain(uuid))],
      [node.fields.inspect_interface === 'agent' ? 2 : 1, () => at(this.lateData(uuid), 0)],
      [
        isFree && node.refused.length > 0 ? 4 : 0.2,
        () => at({ type: 'PromoteRefused', uuid, record: this.record(node) }, fate.between(0, 500)),
      ],
      [isFree && node.posted ? 2 : 0.1, () => at({ type: 'ReprocessData', uuid })],
    ])();
  }

  /** At once, after a while, or when the wait is about to end. */
  private lateMs(wait: Deadline | undefined, now: number): number {
    const { fate } = this;
    const leftMs = wait ? wait.due - now + fate.between(-NEAR_MS, NEAR_MS) : 0;
    const afterMs = fate.weighed([
      [3, 0],
      [3, fate.between(1, 4000)],
      [3, leftMs],
    ]);
    return Math.min(Math.max(0, afterMs), PATIENCE_MS_MAX);
  }

  private change(wait: Deadline | undefined, now: number): DeadlineChange {
    const { fate } = this;
    const isPaused = typeof wait?.pausedAt === 'number';
    return fate.weighed<DeadlineChange>([
      [3, { kind: 'extend', seconds: fate.between(1, MOVE_MS_MAX) / 1000 }],
      [1, { kind: 'move', due: now + fate.between(-5000, MOVE_MS_MAX) }],
      [isPaused ? 1 : 4, { kind: 'pause' }],
      [isPaused ? 6 : 0.5, { kind: 'resume' }],
    ]);
  }

  private reason(): string | null {
    return this.fate.pick(reasons);
  }

  private abort(uuid: string): Command {
    const reason = this.reason();
    return reason === null ? provision('abort', uuid) : { type: 'Provision', uuid, target: 'abort', args: {}, reason };
  }

  /** What a ramdisk posts to us that nobody may be waiting for. */
  private lateData(uuid: string): Command {
    const { fate } = this;
    return {
      type: 'ContinueInspection',
      uuid: fate.uuid(),
      askedNode: fate.happens(0.8) ? uuid : null,
      inventory: inventoryOf(uuid, fate.between(1, 8)),
      pluginData: {},
      tokenDigest: null,
    };
  }

  private record({ refused }: Node): number {
    return refused.length > 0 && this.fate.happens(0.9) ? this.fate.pick(refused).n : this.fate.between(1, 9);
  }
}

/** The deadline that an operator can speak of. */
export const waitOf = ({ deadlines }: Node): Deadline | undefined =>
  deadlines.find(({ purpose }) => purpose !== 'give up');
