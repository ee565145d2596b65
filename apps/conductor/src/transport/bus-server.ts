import { Server } from '@nestjs/microservices';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { decode, encode } from '@lib/contracts';
import type { BusRequest, BusSubscription, Logger, MessageBus } from '@lib/ports';

export interface Route {
  readonly subject: string;
  readonly queue: string;
}

/**
 * Nest's transport over our message bus port: the same controllers serve NATS and the in-process bus. Patterns of
 * `@MessagePattern` are names; `routes` gives each its subject and queue group.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  private subscriptions: BusSubscription[] = [];

  constructor(
    private readonly bus: MessageBus,
    private readonly routes: Readonly<Record<string, Route>>,
    private readonly log: Logger,
  ) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    this.serveAll().then(() => callback(), callback);
  }

  /** Takes no further message; resolves when the handlers under way have answered. */
  async close(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.stop()));
    this.subscriptions = [];
  }

  /** The transport has no events of its own. */
  on(): never {
    throw new Error('the bus transport emits no events');
  }

  unwrap<T>(): T {
    return this.bus as T;
  }

  private async serveAll(): Promise<void> {
    for (const pattern of this.messageHandlers.keys()) {
      const route = this.routes[pattern];
      if (!route) throw new Error(`no subject is known for the pattern ${pattern}`);
      const serve = (request: BusRequest): Promise<Uint8Array> => this.handle(pattern, request);
      const failed = (error: unknown, subject: string): void =>
        this.log.error({ subject, reason: String(error) }, 'a message could not be handled');
      this.subscriptions.push(await this.bus.serve(route.subject, route.queue, serve, failed));
    }
  }

  private async handle(pattern: string, { body }: BusRequest): Promise<Uint8Array> {
    const handler = this.getHandlerByPattern(pattern);
    if (!handler) throw new Error(`nobody handles ${pattern}`);
    const answer = this.transformToObservable(await handler(decode(body)));
    return encode(await lastValueFrom(answer));
  }
}
