import type { Clock, MessageBus } from '@lib/ports';
import { MemoryMessageBus } from './memory-message-bus';
import { Subscribers } from './subscribers';

/** What a broker is to NATS: several buses of one process meet here. */
export class MemoryBusHub {
  private readonly subscribers = new Subscribers();
  private up = true;

  constructor(private readonly clock: Clock) {}

  open(): MessageBus {
    return new MemoryMessageBus(this.subscribers, () => this.up, this.clock);
  }

  /** As if the broker were gone: requests end with UNAVAILABLE, hints and replies are lost, until `restore`. */
  interrupt(): void {
    this.up = false;
  }

  restore(): void {
    this.up = true;
  }
}
