import { createHash, type Hash } from 'node:crypto';
import type { Msg, MsgHdrs } from 'nats';
import { type FrameRead, writeFrame } from './frame';

export type Publish = (subject: string, body: Uint8Array, options: { reply?: string; headers?: MsgHdrs }) => void;

const NOTHING = new Uint8Array(0);

/** A body that goes out in parts, as fast as its one receiver pulls. */
export class OutgoingTransfer {
  private readonly digest: Hash = createHash('sha256');
  private readonly count: number;
  private next = 0;
  private receiver: string | null = null;

  constructor(
    private readonly body: Uint8Array,
    private readonly partBytes: number,
    private readonly publish: Publish,
  ) {
    this.count = Math.ceil(body.length / partBytes);
  }

  /** Announces the body; its receiver answers with pulls to `pullAddress`. */
  open(subject: string, pullAddress: string, patienceMs: number): void {
    const { partBytes, body } = this;
    const frame = { kind: 'open', bytes: body.length, partBytes, patienceMs: Math.ceil(patienceMs) } as const;
    this.publish(subject, NOTHING, { reply: pullAddress, headers: writeFrame(frame) });
  }

  /** Sends what is pulled. The first receiver that pulls gets the body; another one (of another group) is not served. */
  pulled(message: Msg, frame: FrameRead & { kind: 'pull' }): void {
    if (message.reply === undefined || message.reply === '') return;
    this.receiver ??= message.reply;
    if (this.receiver !== message.reply) return;
    for (const end = Math.min(frame.upTo, this.count); this.next < end; this.next++)
      this.send(this.receiver, this.next);
  }

  /** All parts are on their way. */
  done(): boolean {
    return this.next === this.count;
  }

  private send(to: string, index: number): void {
    const part = this.body.subarray(index * this.partBytes, (index + 1) * this.partBytes);
    // Hashed part by part: the digest of 64 MiB in one go would hold up everything else.
    this.digest.update(part);
    const digest = index === this.count - 1 ? this.digest.digest('hex') : null;
    this.publish(to, part, { headers: writeFrame({ kind: 'part', index, digest }) });
  }
}
