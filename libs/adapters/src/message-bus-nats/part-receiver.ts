import { BUS_BODY_BYTES_MAX, type Clock, type Timer } from '@lib/ports';
import { Assembly } from './assembly';
import { Budget } from './budget';
import { type Frame, readFrame, writeFrame } from './frame';
import type { Inbox } from './inbox';
import type { Publish } from './outgoing-transfer';

/** A body received in parts, and the memory it holds: given back when the body is no longer needed. */
export interface ReceivedBody {
  readonly body: Uint8Array;
  release(): void;
}

export interface PartReceiverLimits {
  /** Memory for bodies that are being received or worked on. At least one body of the largest size. */
  readonly bytesMax: number;
  /** Silence in the middle of a transfer after which it is forgotten. */
  readonly idleMs: number;
}

/**
 * Parts on their way to us in one transfer, and transfers that move at a time: for requests and for replies 24 MiB each, well
 * below the 64 MiB that a broker keeps for a client before it drops the connection.
 */
const PARTS_IN_FLIGHT = 4;
const TRANSFERS_MOVING_MAX = 12;
/** Who waits holds nothing but its announcement. */
const LINE_MAX = 4096;
const NOTHING = new Uint8Array(0);

export class PartReceiver {
  private readonly memory: Budget;
  private readonly moving: Budget;
  private readonly abandon = new Set<() => void>();

  constructor(
    private readonly inbox: Inbox,
    private readonly publish: Publish,
    private readonly clock: Clock,
    private readonly limits: PartReceiverLimits,
  ) {
    this.memory = new Budget(Math.max(limits.bytesMax, BUS_BODY_BYTES_MAX), LINE_MAX, clock);
    this.moving = new Budget(TRANSFERS_MOVING_MAX, LINE_MAX, clock);
  }

  /** Null: the transfer broke, fell silent, found no room, or outlived its sender's patience. */
  async receive(open: Frame & { kind: 'open' }, pullAddress: string, patienceMs: number): Promise<ReceivedBody | null> {
    if (pullAddress === '') return null;
    if (!(await this.memory.take(open.bytes, patienceMs))) return null;
    const body = await this.move(open, pullAddress, patienceMs);
    if (body === null) {
      this.memory.giveBack(open.bytes);
      return null;
    }
    let held = true;
    const release = (): void => {
      if (held) this.memory.giveBack(open.bytes);
      held = false;
    };
    return { body, release };
  }

  /** Forgets everything that is on its way. */
  close(): void {
    this.memory.clear();
    this.moving.clear();
    for (const abandon of this.abandon) abandon();
  }

  private async move(
    open: Frame & { kind: 'open' },
    pullAddress: string,
    patienceMs: number,
  ): Promise<Uint8Array | null> {
    if (!(await this.moving.take(1, patienceMs))) return null;
    try {
      return await this.pull(open, pullAddress, patienceMs);
    } finally {
      this.moving.giveBack(1);
    }
  }

  private pull(open: Frame & { kind: 'open' }, pullAddress: string, patienceMs: number): Promise<Uint8Array | null> {
    const assembly = new Assembly(open);
    return new Promise((resolve) => {
      let silence: Timer | null = null;
      const end = (body: Uint8Array | null): void => {
        silence?.cancel();
        patience.cancel();
        this.inbox.close(address);
        this.abandon.delete(abandon);
        resolve(body);
      };
      const abandon = (): void => end(null);
      const patience = this.clock.after(patienceMs, abandon);
      const listen = (): void => {
        silence?.cancel();
        silence = this.clock.after(this.limits.idleMs, abandon);
      };
      const ask = (upTo: number): void => {
        try {
          this.publish(pullAddress, NOTHING, { reply: address, headers: writeFrame({ kind: 'pull', upTo }) });
        } catch {
          // The connection is closed for good: no part will come.
          abandon();
        }
      };
      const address = this.inbox.open((message) => {
        const frame = readFrame(message);
        // Anything else here is the broker's word that the sender is gone.
        if (frame.kind !== 'part') return abandon();
        const state = assembly.add(frame.index, message.data, frame.digest);
        if (state === 'broken') return abandon();
        if (state !== 'more') return end(state);
        listen();
        const upTo = frame.index + 1 + PARTS_IN_FLIGHT;
        if (upTo <= assembly.count) ask(upTo);
      });
      this.abandon.add(abandon);
      listen();
      ask(Math.min(PARTS_IN_FLIGHT, assembly.count));
    });
  }
}
