import { createServer as createHttp } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Clock } from '@lib/ports';
import { answerTo, isPublic } from './answer';
import type { Document } from './document';
import { Faults } from './faults';
import type { Fault } from './faults';
import type { BmcMachine } from './machine';
import { errorBody, refused } from './messages';
import type { Answer, Asked } from './messages';
import { answerTagged } from './etags';
import { Tasks } from './tasks';
import { Transitions } from './reset';
import { Sessions } from './sessions';
import type { Account, BmcAuth } from './sessions';

export interface BmcOptions {
  readonly machines: readonly BmcMachine[];
  /** `both` unless given. */
  readonly auth?: BmcAuth;
  readonly account?: Account;
  /** PEM, and what else of TLS is asked for. Absent: plain HTTP. */
  readonly tls?: Pick<SecureContextOptions, 'key' | 'cert' | 'minVersion' | 'maxVersion' | 'ciphers'>;
  /** States of resources have names; `weak` ones are taken back as strong ones only. Absent: they have none. */
  readonly etags?: 'strong' | 'weak';
  /** Of power changes and slow answers. */
  readonly clock: Clock;
  /** A free one unless given: that of a BMC which comes back after it was away. */
  readonly port?: number;
  /** Told of each change that a client asked for. */
  readonly changed?: (machine: BmcMachine) => void;
}

/** A request as it came, with what it was answered; 0 where there was no answer. */
export interface Logged {
  readonly method: string;
  readonly path: string;
  readonly body: Document;
  readonly headers: IncomingMessage['headers'];
  status: number;
}

export const bmcAccount: Account = { username: 'admin', password: 'of the bmc' };

/** A Redfish service of its own port, for one machine or for many under one address. Listens on 127.0.0.1. */
export class RedfishBmc {
  readonly faults = new Faults();
  readonly requests: Logged[] = [];
  /** How many clients have connected. */
  connections = 0;
  /** Also after it was stopped. */
  port = 0;
  readonly sessions: Sessions;
  private readonly transitions: Transitions;
  private readonly sockets = new Set<Socket>();
  private readonly tasks = new Tasks();

  private constructor(
    private readonly server: Server,
    private readonly options: BmcOptions,
  ) {
    this.sessions = new Sessions(options.auth ?? 'both', options.account ?? bmcAccount);
    this.transitions = new Transitions(options.clock);
  }

  static async start(options: BmcOptions): Promise<RedfishBmc> {
    const server = options.tls ? createHttps(options.tls) : createHttp();
    const bmc = new RedfishBmc(server, options);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void bmc.serve(request, response));
    server.on('connection', (socket: Socket) => {
      bmc.connections += 1;
      bmc.sockets.add(socket);
      socket.on('close', () => bmc.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
    bmc.port = (server.address() as AddressInfo).port;
    return bmc;
  }

  get url(): string {
    return `${this.options.tls ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  machine(id = this.options.machines[0]?.id): BmcMachine {
    const found = this.options.machines.find((one) => one.id === id);
    if (!found) throw new Error(`the BMC has no machine ${String(id)}`);
    return found;
  }

  /** Requests of a kind, as `METHOD path`, the last part of the path only. */
  asked(method: string, path = /./): Logged[] {
    return this.requests.filter((one) => one.method === method && path.test(one.path));
  }

  async stop(): Promise<void> {
    this.transitions.stop();
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const path = new URL(request.url ?? '/', 'http://bmc').pathname.replace(/(?<=.)\/$/, '');
    const asked: Asked = { method: request.method ?? 'GET', path, body: bodyOf(Buffer.concat(chunks)) };
    const logged: Logged = { ...asked, headers: request.headers, status: 0 };
    this.requests.push(logged);
    const fault = this.faults.take(asked.method, path);
    const answer = (): Answer => this.answer(asked, request);
    if (fault) this.misbehave(fault, answer, response, logged);
    else send(answer(), response, logged);
  }

  private answer(asked: Asked, { headers }: IncomingMessage): Answer {
    const { machines, changed = () => undefined } = this.options;
    const { sessions, transitions } = this;
    if (!isPublic(asked) && !sessions.lets(headers)) {
      return refused(401, 'Who are you?', 'Base.1.0.NoValidSession');
    }
    const inside = { machines, sessions, transitions, changed };
    const task = this.tasks.answer(asked);
    if (task) return task;
    const { etags } = this.options;
    return etags
      ? answerTagged(asked, headers['if-match'], etags, (one) => answerTo(one, inside))
      : answerTo(asked, inside);
  }

  private misbehave(fault: Fault, answer: () => Answer, response: ServerResponse, logged: Logged): void {
    switch (fault.kind) {
      case 'slow':
        this.options.clock.after(fault.ms, () => send(answer(), response, logged));
        return;
      case 'hang':
        if (fault.carriesOut) answer();
        return;
      case 'task':
        if ((fault.end ?? 204) < 300) answer();
        send(this.tasks.begin(fault), response, logged);
        return;
      case 'status': {
        if (fault.carriesOut) answer();
        const body = errorBody(fault.message ?? 'The BMC is out of order.', fault.messageId);
        send({ status: fault.status, body }, response, logged);
        return;
      }
      case 'half answer': {
        const text = JSON.stringify(answer().body ?? errorBody('half'));
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
        response.write(text.slice(0, text.length / 2), () => response.destroy());
        return;
      }
      case 'malformed':
        logged.status = 200;
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"PowerState": "On", ');
        return;
      case 'cut':
        response.destroy();
    }
  }
}

function bodyOf(bytes: Buffer): Document {
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof body === 'object' && body !== null ? (body as Document) : {};
  } catch {
    return {};
  }
}

function send({ status, body, headers }: Answer, response: ServerResponse, logged: Logged): void {
  logged.status = status;
  response.writeHead(status, { 'Content-Type': 'application/json', 'OData-Version': '4.0', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
