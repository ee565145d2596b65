import { connect, type Socket } from 'node:net';

/**
 * A small HTTP/1.1 client that costs little beside the server it measures: kept connections, one request under way on each,
 * requests written as they stand. It reads the status and skips Content-Length bytes of body.
 */
export interface Received {
  readonly status: number;
  readonly ms: number;
  /** Null unless bodies are kept. */
  readonly body: string | null;
}

interface Job {
  readonly text: string;
  readonly keepBody: boolean;
  resolve(received: Received): void;
  reject(reason: Error): void;
}

const HEAD_END = '\r\n\r\n';
const IRONIC_VERSION = '1.115';

/** What a request says beside its path and body. */
export interface RequestForm {
  readonly host?: string;
  /** Null: the request names none, as a ramdisk's post of its data. */
  readonly version?: string | null;
  readonly contentType?: string;
}

export function requestText(method: string, path: string, body?: unknown, form: RequestForm = {}): string {
  const { host = '127.0.0.1', version = IRONIC_VERSION, contentType = 'application/json' } = form;
  const payload = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(version === null ? [] : [`X-OpenStack-Ironic-API-Version: ${version}`]),
    ...(method === 'GET'
      ? []
      : [`Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(payload, 'utf8')}`]),
  ];
  return `${lines.join('\r\n')}${HEAD_END}${payload}`;
}

class Connection {
  private socket: Socket | null = null;
  private job: Job | null = null;
  private sentAt = 0;
  private head: Buffer | null = null;
  private missing = 0;
  private status = 0;
  private chunks: Buffer[] = [];

  constructor(
    private readonly port: number,
    private readonly idle: (connection: Connection) => void,
  ) {}

  send(job: Job): void {
    this.job = job;
    this.head = null;
    this.chunks = [];
    this.missing = -1;
    this.sentAt = performance.now();
    const { socket } = this;
    if (socket !== null && !socket.destroyed) return void socket.write(job.text);
    const fresh = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    this.socket = fresh;
    fresh.on('data', (chunk) => this.data(chunk));
    fresh.on('error', (error) => this.fail(error));
    fresh.on('close', () => this.fail(new Error('the connection was closed')));
    fresh.write(job.text);
  }

  close(): void {
    this.socket?.removeAllListeners('close');
    this.socket?.destroy();
  }

  private data(chunk: Buffer): void {
    if (this.job === null) return;
    if (this.missing >= 0) return this.body(chunk);
    const all = this.head === null ? chunk : Buffer.concat([this.head, chunk]);
    const end = all.indexOf(HEAD_END);
    if (end < 0) {
      this.head = all;
      return;
    }
    const head = all.toString('latin1', 0, end);
    this.status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    this.missing = length ? Number(length[1]) : 0;
    this.body(all.subarray(end + HEAD_END.length));
  }

  private body(chunk: Buffer): void {
    this.missing -= chunk.length;
    if (this.job?.keepBody) this.chunks.push(chunk);
    if (this.missing > 0) return;
    const job = this.job;
    this.job = null;
    const body = job?.keepBody ? Buffer.concat(this.chunks).toString('utf8') : null;
    job?.resolve({ status: this.status, ms: performance.now() - this.sentAt, body });
    this.idle(this);
  }

  private fail(error: Error): void {
    this.socket?.removeAllListeners();
    this.socket?.on('error', () => undefined);
    this.socket?.destroy();
    this.socket = null;
    const job = this.job;
    if (job === null) return;
    this.job = null;
    job.reject(error);
    this.idle(this);
  }
}

/** So many connections to one port of this host; what is asked beyond them waits. */
export class Connections {
  private readonly all: Connection[];
  private readonly free: Connection[];
  private readonly waiting: Job[] = [];

  constructor(port: number, count: number) {
    this.all = Array.from({ length: count }, () => new Connection(port, (one) => this.next(one)));
    this.free = [...this.all];
  }

  send(text: string, keepBody = false): Promise<Received> {
    return new Promise((resolve, reject) => {
      const job = { text, keepBody, resolve, reject };
      const connection = this.free.pop();
      if (connection === undefined) this.waiting.push(job);
      else connection.send(job);
    });
  }

  close(): void {
    for (const connection of this.all) connection.close();
  }

  private next(connection: Connection): void {
    const job = this.waiting.shift();
    if (job === undefined) this.free.push(connection);
    else connection.send(job);
  }
}
