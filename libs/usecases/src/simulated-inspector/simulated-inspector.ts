import type { InspectorReply } from '@lib/contracts';
import {
  type Introspection,
  InspectorRefusal,
  invalid,
  isIntrospectionState,
  isUuid,
  type JsonObject,
  newestFirst,
  notFound,
  parseRule,
  statusOf,
  type IntrospectionRule,
} from '@lib/domain/introspection';
import { abortIntrospection } from './abort';
import { answerOf } from './answers';
import { keepClean } from './clean-up';
import { uuidOf } from './nodes';
import { continueIntrospection, reapplyIntrospection } from './process';
import { Ramdisks } from './ramdisks';
import { RequestLog, type RequestLogEntry } from './request-log';
import { type InspectorParts, InspectorRoom } from './room';
import { answerAsScripted, statusAsScripted } from './scripted-answer';
import { type StartOptions, startIntrospection } from './start';

export type Via = RequestLogEntry['via'];

/** Thrown to a door when a script wants the asker to wait in vain. */
export class NoAnswer extends Error {
  constructor() {
    super('The script of this node gives no answer');
    this.name = 'NoAnswer';
  }
}

export interface ListQuery {
  readonly limit?: string;
  readonly marker?: string;
  readonly state?: string;
}

/**
 * An ironic-inspector, with the ramdisks of scripted nodes. Every call answers with an HTTP status and a body
 * (contract: inspector-api.md §3), never rejects but with NoAnswer, and is written to the request log.
 */
export class SimulatedInspector {
  readonly requests: RequestLog;
  private readonly room: InspectorRoom;
  private readonly ramdisks: Ramdisks;
  private readonly stopCleaning: () => void;

  constructor(parts: InspectorParts, logEntriesMax = 10000) {
    this.requests = new RequestLog(logEntriesMax);
    this.room = new InspectorRoom(parts);
    this.ramdisks = new Ramdisks(this.room, (payload, note, node) =>
      this.answer('ramdisk', 'continue', node, 200, () => continueIntrospection(this.room, payload), note),
    );
    this.stopCleaning = keepClean(this.room);
    this.ramdisks.goOn();
  }

  start(via: Via, ident: string, options: StartOptions): Promise<InspectorReply> {
    return this.answer(via, 'start', ident, 202, async () => {
      await startIntrospection(this.room, ident, options, {
        boot: (node, macs, run) => this.ramdisks.boot(node, macs, run),
        bootEarly: (node) => this.ramdisks.bootEarly(node),
      });
      return {};
    });
  }

  abort(via: Via, ident: string): Promise<InspectorReply> {
    return this.answer(via, 'abort', ident, 202, async () => {
      await abortIntrospection(this.room, ident, (uuid, plan) => this.ramdisks.abortSeen(uuid, plan));
      return {};
    });
  }

  status(via: Via, ident: string): Promise<InspectorReply> {
    return this.answer(via, 'status', ident, 200, async () => {
      const row = await this.find(ident);
      const plan = this.room.plans.get(row.uuid);
      if (plan?.run !== row.run || !plan.script.status) return statusOf(row);
      this.room.touched(row.uuid);
      await statusAsScripted(plan.script.status, (plan.statusesSeen += 1), this.room.parts.clock);
      return statusOf(this.room.row(row.uuid));
    });
  }

  data(via: Via, ident: string, kind: 'processed' | 'unprocessed'): Promise<InspectorReply> {
    return this.answer(via, kind === 'processed' ? 'data' : 'unprocessed', ident, 200, async () => {
      const row = await this.find(ident);
      this.answerDataAsScripted(row);
      if (!this.room.parts.options.storeData) throw notFound('The inspector is not configured to store data');
      const data = row[kind];
      if (data === null) throw notFound(`No data is stored for node ${row.uuid}`);
      return data;
    });
  }

  reapply(via: Via, ident: string, body: unknown): Promise<InspectorReply> {
    return this.answer(via, 'reapply', ident, 202, async () => {
      await reapplyIntrospection(this.room, ident, body);
      return {};
    });
  }

  continue(via: Via, body: unknown): Promise<InspectorReply> {
    return this.answer(via, 'continue', null, 200, () => continueIntrospection(this.room, body));
  }

  /** A page of status documents, newest first (inspector-api.md §3.3). */
  list(query: ListQuery): Promise<InspectorReply> {
    return this.answer('rest', 'list', null, 200, async () => ({ introspection: this.page(query).map(statusOf) }));
  }

  rules(): readonly IntrospectionRule[] {
    return this.room.rules;
  }

  rule(uuid: string): Promise<InspectorReply> {
    return this.answer('rest', 'rule', null, 200, async () => this.findRule(uuid));
  }

  /** `status` is that of success: it depends on the microversion. */
  createRule(body: unknown, status: 200 | 201): Promise<InspectorReply> {
    return this.answer('rest', 'create rule', null, status, async () => {
      const rule = parseRule(body, this.room.parts.chance.uuid());
      if (this.room.rules.some((other) => other.uuid === rule.uuid)) {
        throw new InspectorRefusal('DUPLICATE', `Rule ${rule.uuid} exists already`);
      }
      this.room.setRules([...this.room.rules, rule]);
      return rule;
    });
  }

  removeRule(uuid: string): Promise<InspectorReply> {
    return this.answer('rest', 'remove rule', null, 204, async () => {
      const rule = this.findRule(uuid);
      this.room.setRules(this.room.rules.filter((other) => other !== rule));
      return null;
    });
  }

  removeRules(): Promise<InspectorReply> {
    return this.answer('rest', 'remove rules', null, 204, async () => {
      this.room.setRules([]);
      return null;
    });
  }

  /** No new ramdisk posts, no clean-up; resolves when the jobs under way have ended. */
  async stop(): Promise<void> {
    this.stopCleaning();
    this.ramdisks.stop();
    while (this.room.jobs.size > 0) await Promise.all(this.room.jobs);
    await this.room.kept.settled();
  }

  private async find(ident: string): Promise<Introspection> {
    return this.room.row(await uuidOf(this.room, ident));
  }

  private answerDataAsScripted(row: Introspection): void {
    const plan = this.room.plans.get(row.uuid);
    if (plan?.run !== row.run || !plan.script.data) return;
    this.room.touched(row.uuid);
    answerAsScripted('its data', plan.script.data, (plan.datasSeen += 1));
  }

  private findRule(uuid: string): IntrospectionRule {
    const rule = this.room.rules.find((other) => other.uuid === uuid);
    if (!rule) throw notFound(`Rule ${uuid} was not found`);
    return rule;
  }

  private page(query: ListQuery): Introspection[] {
    const { listMax } = this.room.parts.options;
    const limit = query.limit === undefined || query.limit === '0' ? listMax : Number(query.limit);
    if (!/^\d+$/.test(query.limit ?? '0') || limit > listMax)
      throw invalid(`limit must be a number from 0 to ${listMax}`);
    const states = query.state?.split(',') ?? null;
    const unknown = states?.find((state) => !isIntrospectionState(state));
    if (unknown !== undefined) throw invalid(`Unknown state "${unknown}"`);
    const rows = [...this.room.rows.values()].sort(newestFirst);
    const from = this.positionAfter(rows, query.marker);
    return rows
      .slice(from)
      .filter((row) => states === null || states.includes(row.state))
      .slice(0, limit);
  }

  private positionAfter(rows: readonly Introspection[], marker: string | undefined): number {
    if (marker === undefined) return 0;
    if (!isUuid(marker)) throw invalid('marker must be a UUID');
    const index = rows.findIndex((row) => row.uuid === marker.toLowerCase());
    if (index < 0) throw notFound(`The marker ${marker} was not found`);
    return index + 1;
  }

  /** What was changed is on disk before anybody hears of it. */
  private async kept<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } finally {
      await this.room.kept.settled();
    }
  }

  private async answer(
    via: Via,
    ask: string,
    node: string | null,
    status: number,
    run: () => Promise<unknown>,
    note: string | null = null,
  ): Promise<InspectorReply> {
    const { clock, logger } = this.room.parts;
    const record = (entry: Pick<RequestLogEntry, 'status' | 'detail'> & { node?: string | null }): void =>
      this.requests.add({ at: clock.now(), via, ask, node, ...entry });
    try {
      const body = await this.kept(run);
      record({ node: node ?? (body as JsonObject | null)?.['uuid']?.toString() ?? null, status, detail: note });
      return { status, body };
    } catch (error) {
      const reply = answerOf(error, logger);
      const text = error instanceof Error ? error.message : String(error);
      record({ status: reply?.status ?? null, detail: note === null ? text : `${note}: ${text}` });
      if (!reply) throw new NoAnswer();
      return reply;
    }
  }
}
