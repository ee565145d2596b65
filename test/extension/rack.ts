import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the rack was asked to do with a probe. */
export interface Release {
  readonly slot: string;
  readonly outcome: string;
  readonly key: string | undefined;
}

interface Slot {
  power: string;
  survey: Record<string, unknown> | null;
}

/** The rack that the example speaks to (examples/ferrolog-example-hardware/rack.js), on a free port. Calls can be held. */
export class Rack {
  readonly releases: Release[] = [];
  /** Every call, as `PUT 1 power`. */
  readonly calls: string[] = [];
  private readonly slots = new Map<string, Slot>();
  private readonly held = new Set<string>();
  private readonly waiting: { readonly call: string; answer(): void }[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  static async start(): Promise<Rack> {
    const rack = new Rack();
    await new Promise<void>((resolve) => rack.server.listen(0, '127.0.0.1', resolve));
    return rack;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Calls like this one get no answer until they are let go. */
  hold(call: string): void {
    this.held.add(call);
  }

  letGo(call: string): void {
    this.held.delete(call);
    for (const one of this.waiting.splice(0)) {
      if (one.call === call) one.answer();
      else this.waiting.push(one);
    }
  }

  called(call: string): number {
    return this.calls.filter((one) => one === call).length;
  }

  /** The survey of a slot is over. */
  end(slot: number, result: { readonly error?: string; readonly found?: unknown }): void {
    const { survey } = this.slot(String(slot));
    Object.assign(survey ?? {}, { state: result.error === undefined ? 'finished' : 'failed', ...result });
  }

  private slot(name: string): Slot {
    const slot = this.slots.get(name) ?? { power: 'off', survey: null };
    this.slots.set(name, slot);
    return slot;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const [, , name = '', what = ''] = (request.url ?? '').split('/');
    const call = `${request.method} ${name} ${what}`.trim();
    this.calls.push(call);
    const body = (text === '' ? {} : JSON.parse(text)) as { power?: string; outcome?: string };
    if (what === 'release') {
      const key = request.headers['idempotency-key'];
      this.releases.push({ slot: name, outcome: String(body.outcome), key: key?.toString() });
    }
    const answer = (): void => {
      const slot = this.slot(name);
      if (what === 'power') slot.power = String(body.power);
      if (what === 'survey') {
        slot.survey = request.method === 'DELETE' ? null : { state: 'running', startedAt: Date.now() };
      }
      response.end(JSON.stringify(slot));
    };
    if (this.held.has(call)) this.waiting.push({ call, answer });
    else answer();
  }
}
