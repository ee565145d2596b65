import type { BusRequest, Clock } from '@lib/ports';
import type { Msg } from 'nats';
import { readFrame } from './frame';
import type { Inbox } from './inbox';
import { OutgoingTransfer, type Publish } from './outgoing-transfer';
import type { PartReceiver, ReceivedBody } from './part-receiver';
import type { SignsOfLife } from './signs-of-life';
import { assertSize } from './size';

export type Handler = (request: BusRequest) => Promise<Uint8Array>;
export type OnError = (error: unknown, subject: string) => void;

/** The serving side: takes a request, whole or in parts, runs its handler and sends the reply, whole or in parts. */
export class Responder {
  constructor(
    private readonly inbox: Inbox,
    private readonly publish: Publish,
    private readonly parts: PartReceiver,
    private readonly clock: Clock,
    private readonly idleMs: number,
    private readonly wholeBytesMax: () => number,
    private readonly signs: SignsOfLife,
  ) {}

  /** Never rejects; resolves when the reply is on its way. */
  async answer(message: Msg, handler: Handler, onError: OnError): Promise<void> {
    const { subject, reply: requester = '' } = message;
    this.signs.begin(requester);
    try {
      const received = await this.bodyOf(message);
      if (received === null) return onError(new Error('a large request was lost on its way'), subject);
      try {
        const reply = await handler({ subject, body: received.body });
        this.signs.end(requester);
        assertSize(reply);
        await this.reply(message, reply);
      } finally {
        received.release();
      }
    } catch (error) {
      onError(error, subject);
    } finally {
      this.signs.end(requester);
    }
  }

  private async bodyOf(message: Msg): Promise<ReceivedBody | null> {
    const frame = readFrame(message);
    if (frame.kind === 'whole') return { body: message.data, release: () => undefined };
    if (frame.kind === 'open') return this.parts.receive(frame, message.reply ?? '', frame.patienceMs);
    return null;
  }

  /** Resolves when the reply is on its way, the last part included. */
  private async reply(message: Msg, body: Uint8Array): Promise<void> {
    const to = message.reply ?? '';
    if (body.length <= this.wholeBytesMax()) return this.publish(to, body, {});
    const transfer = new OutgoingTransfer(body, this.wholeBytesMax(), this.publish);
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.inbox.close(address);
        timer.cancel();
        resolve();
      };
      let timer = this.clock.after(this.idleMs, end);
      const address = this.inbox.open((control) => {
        const frame = readFrame(control);
        // Anything else is the broker's word that the requester is gone.
        if (frame.kind !== 'pull') return end();
        timer.cancel();
        timer = this.clock.after(this.idleMs, end);
        transfer.pulled(control, frame);
        if (transfer.done()) end();
      });
      transfer.open(to, address, this.idleMs);
    });
  }
}
