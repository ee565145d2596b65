import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';

interface Token {
  readonly roles: readonly string[];
  readonly expiresAt: string;
}

/** As much of an identity service as says whose a token is. A token may ask about itself. */
export class FakeKeystone {
  readonly tokens = new Map<string, Token>();
  /** Tokens that were asked about, in order. */
  readonly asked: string[] = [];
  /** Answers to come in the place of its own. */
  readonly answers: [status: number, text: string][] = [];
  url = '';
  private readonly server;

  constructor(tls: { cert: string; key: string } | null = null) {
    const serve = (request: IncomingMessage, response: ServerResponse) => this.answer(request, response);
    this.server = tls ? createHttps(tls, serve) : createHttp(serve);
    this.scheme = tls ? 'https' : 'http';
  }
  private readonly scheme: string;

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `${this.scheme}://localhost:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer({ method, url, headers }: IncomingMessage, response: ServerResponse): void {
    const subject = String(headers['x-subject-token']);
    this.asked.push(subject);
    const [status, text] = this.answers.shift() ?? this.validate(method, url, String(headers['x-auth-token']), subject);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  }

  private validate(method = '', url = '', asker: string, subject: string): [number, string] {
    const refusal = (code: number): [number, string] => [code, JSON.stringify({ error: { code } })];
    if (method !== 'GET' || !/^\/v3\/auth\/tokens(\?|$)/.test(url)) return refusal(404);
    if (!this.tokens.has(asker)) return refusal(401);
    const token = this.tokens.get(subject);
    if (!token) return refusal(404);
    const roles = token.roles.map((name) => ({ id: name, name }));
    const user = { id: 'u1', name: 'somebody', domain: { id: 'default', name: 'Default' } };
    return [200, JSON.stringify({ token: { methods: ['password'], user, roles, expires_at: token.expiresAt } })];
  }
}
