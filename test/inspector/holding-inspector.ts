import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in front of an inspector. Passes everything on; the answer to one start can be kept from who asked, or lost. */
export class HoldingInspector {
  /** The inspector's own address. */
  target = '';
  /** Method and path of every call that came. */
  readonly calls: string[] = [];
  private wanted: { readonly tell: (status: number) => void; readonly hangsUp: boolean } | null = null;
  private readonly server: Server = createServer((asked, answer) => this.pass(asked, answer));

  static async open(): Promise<HoldingInspector> {
    const proxy = new HoldingInspector();
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The next start is answered to nobody; resolves with the status that the inspector gave it. */
  holdStart(): Promise<number> {
    return new Promise((tell) => (this.wanted = { tell, hangsUp: false }));
  }

  /** The connection of the next start is reset once the inspector has answered, with the status that this resolves with. */
  loseStart(): Promise<number> {
    return new Promise((tell) => (this.wanted = { tell, hangsUp: true }));
  }

  starts(uuid: string): number {
    return this.calls.filter((call) => call.startsWith(`POST /v1/introspection/${uuid}`) && !call.endsWith('/abort'))
      .length;
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = '', url = '', headers } = asked;
    this.calls.push(`${method} ${url}`);
    const isHeld = this.wanted !== null && /^POST \/v1\/introspection\/[^/]+$/.test(`${method} ${url.split('?')[0]}`);
    const wanted = isHeld ? this.wanted : null;
    if (isHeld) this.wanted = null;
    const passed = request(new URL(url, this.target), { method, headers, agent: false }, (head) => {
      if (wanted === null) {
        answer.writeHead(head.statusCode ?? 502, head.headers);
        head.pipe(answer);
        return;
      }
      head.resume().once('end', () => {
        wanted.tell(head.statusCode ?? 0);
        if (wanted.hangsUp) asked.socket.resetAndDestroy();
      });
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }
}
