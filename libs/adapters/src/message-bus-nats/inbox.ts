import { createInbox, type Msg, type NatsConnection } from 'nats';

/**
 * Private addresses of one bus, all under one subscription: replies, pulls and parts arrive here. What arrives for an address
 * that is closed is dropped.
 */
export class Inbox {
  private readonly base = createInbox();
  private readonly takers = new Map<string, (message: Msg) => void>();
  private counter = 0;

  constructor(nats: NatsConnection, onFault: (error: unknown) => void) {
    nats.subscribe(`${this.base}.*`, {
      callback: (error, message) => {
        if (error !== null) return onFault(error);
        try {
          this.takers.get(message.subject)?.(message);
        } catch (fault) {
          // An error that leaves this callback would end the client's reader.
          onFault(fault);
        }
      },
    });
  }

  open(take: (message: Msg) => void): string {
    const address = `${this.base}.${(this.counter++).toString(36)}`;
    this.takers.set(address, take);
    return address;
  }

  close(address: string): void {
    this.takers.delete(address);
  }
}
