import { createHash, type Hash } from 'node:crypto';
import type { Frame } from './frame';

/** A body that comes together from parts, in order. Anything out of order or altered makes it worthless. */
export class Assembly {
  private readonly body: Uint8Array;
  private readonly digest: Hash = createHash('sha256');
  private readonly partBytes: number;
  private next = 0;
  /** How many parts there are. */
  readonly count: number;

  constructor(open: Frame & { kind: 'open' }) {
    // Not cleared first: every byte is written before the body is handed on.
    this.body = Buffer.allocUnsafeSlow(open.bytes);
    this.partBytes = open.partBytes;
    this.count = Math.ceil(open.bytes / open.partBytes);
  }

  /** `more` parts are to come, all are in (the body), or the transfer is `broken`. */
  add(index: number, part: Uint8Array, digest: string | null): 'more' | 'broken' | Uint8Array {
    const start = index * this.partBytes;
    const expectedBytes = Math.min(this.partBytes, this.body.length - start);
    if (index !== this.next || part.length !== expectedBytes) return 'broken';
    this.body.set(part, start);
    this.digest.update(part);
    this.next++;
    if (this.next < this.count) return 'more';
    return digest === this.digest.digest('hex') ? this.body : 'broken';
  }
}
