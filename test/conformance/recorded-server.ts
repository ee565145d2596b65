import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Expected, Json, Scenario, Step } from './scenario';

/** What a spec may change in an answer before it is sent. */
export type Mutation = (answer: { status: number; headers: Record<string, string>; body: unknown }, step: Step) => void;

const MAX = '1.115';
const CONDUCTOR = 'recorded-conductor';

/** A value that satisfies one condition of a poll. */
const awaited = (want: Json): unknown => {
  if (Array.isArray(want)) return want[0];
  if (typeof want !== 'object' || want === null) return want;
  return typeof want['len'] === 'number' ? Array.from({ length: want['len'] }, () => ({})) : 'something';
};

/**
 * Plays a scenario's own answers back, in order, with live values in place of the placeholders: what a runner must
 * find faultless, and, with a mutation, what it must complain about. Serves both APIs on one port.
 */
export class RecordedServer {
  private next = 0;
  private resetDone = false;
  private readonly values = new Map<string, string>();
  private servers: Server[] = [];

  constructor(
    private readonly scenario: Scenario,
    private readonly mutate: Mutation = () => undefined,
  ) {}

  /** The addresses of the two APIs. */
  async listen(): Promise<readonly [ironic: string, inspector: string]> {
    this.servers = [0, 1].map(() => createServer((request, response) => this.answer(request, response)));
    for (const server of this.servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    return [this.url('ironic'), this.url('inspector')];
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  private url(service: string): string {
    const server = this.servers[service === 'ironic' ? 0 : 1];
    return `http://127.0.0.1:${(server?.address() as AddressInfo).port}`;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    if (this.discovery(request, response)) return;
    const step = this.scenario.steps[this.next];
    if (step === undefined) return void response.writeHead(500).end('beyond the scenario');
    this.next += 1;
    this.play(step, response);
  }

  /** The runner's own questions: what the server says of itself, and an inventory that is always empty. */
  private discovery(request: IncomingMessage, response: ServerResponse): boolean {
    const reply = (body: unknown): true => {
      response.writeHead(200, { 'x-openstack-ironic-api-maximum-version': MAX }).end(JSON.stringify(body));
      return true;
    };
    const { url } = request;
    if (this.next > 0 || this.resetDone) return false;
    if (url === '/v1') return reply({});
    if (url === '/v1/conductors') return reply({ conductors: [{ hostname: CONDUCTOR }] });
    if (url === '/v1/nodes?limit=1000') return reply({ nodes: [] });
    const collection = /^\/v1\/(chassis|allocations|deploy_templates|inspection_rules)$/.exec(url ?? '')?.[1];
    if (collection === undefined) return false;
    this.resetDone = collection === 'inspection_rules';
    return reply({ [collection]: [] });
  }

  private play(step: Step, response: ServerResponse): void {
    const { corrected } = step;
    const expected: Expected = corrected?.partial ? { ...step.expect, ...corrected } : (corrected ?? step.expect ?? {});
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries((expected.headers ?? {}) as Record<string, string | boolean>)) {
      if (typeof value === 'string') headers[name] = this.text(value);
      else if (value) headers[name] = `req-${randomUUID()}`;
    }
    const body = this.body(step, expected);
    const answer = { status: expected.status ?? 200, headers, body };
    this.mutate(answer, step);
    const sent = expected.text === undefined ? JSON.stringify(answer.body) : String(answer.body);
    response.writeHead(answer.status, answer.headers).end(sent);
  }

  private body(step: Step, expected: Expected): unknown {
    if (expected.text !== undefined) return this.value(expected.text);
    if (step.compare === 'status') return this.reach(step, {});
    if (expected.body === undefined) return undefined;
    return this.value(expected.body);
  }

  /** Puts what `save` and `until` look for where they look. */
  private reach(step: Step, body: unknown): unknown {
    const put = (path: string, value: unknown): void => {
      const parts = path.split('.');
      let here = body as Record<string, unknown>;
      for (const part of parts.slice(0, -1)) here = (here[part] ??= {}) as Record<string, unknown>;
      here[parts.at(-1) ?? ''] ??= value;
    };
    if (typeof body !== 'object' || body === null) return body;
    for (const [name, path] of Object.entries(step.save ?? {})) {
      if (!path.startsWith('header.')) put(path, this.variable(name));
    }
    for (const [path, value] of Object.entries(step.poll?.until ?? {})) {
      if (path !== '$status' && step.compare === 'status') put(path, awaited(value));
    }
    return body;
  }

  private value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    const record = value as Record<string, unknown>;
    if (record['$text'] === true) return 'some words of our own';
    if (typeof record['$contains'] === 'string') return `words with ${record['$contains'].toUpperCase()} inside`;
    if (Array.isArray(record['$in'])) return record['$in'][0];
    if (record['$json'] !== undefined) return JSON.stringify(this.value(record['$json']));
    return Object.fromEntries(Object.entries(record).map(([key, item]) => [this.text(key), this.value(item)]));
  }

  private text(text: string): string {
    return text
      .replace(/\$\{([A-Z][A-Z0-9_]*)\}/g, (_all, name: string) => this.variable(name))
      .replace(
        /<time([T ])([^>]*)>/g,
        (_all, separator: string, zone: string) => `2026-11-30${separator}10:00:00${zone}`,
      )
      .replaceAll('<uuid>', () => randomUUID())
      .replaceAll('<request-id>', () => `req-${randomUUID()}`)
      .replaceAll(/<(ironic|inspector)>/g, (_all, service: string) => this.url(service))
      .replaceAll(/<(ironic|inspector)-host>/g, (_all, service: string) => new URL(this.url(service)).host)
      .replaceAll('<conductor>', CONDUCTOR)
      .replaceAll('<max>', MAX)
      .replaceAll('<token>', 'a-token-of-some-length')
      .replaceAll('<address>', '0xdeadbeef00')
      .replaceAll('<id>', '7');
  }

  private variable(name: string): string {
    const known = this.values.get(name) ?? this.scenario.variables?.[name] ?? randomUUID();
    this.values.set(name, known);
    return known;
  }
}
