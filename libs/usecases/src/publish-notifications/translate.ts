import { eventMeanings, isSentAt, plainKinds } from '@lib/contracts';
import type { Notification, NotificationLevel, PlainKind } from '@lib/contracts';
import { evolveResource } from '@lib/domain';
import type { EventMeta, EventReader, RecordedEvent } from '@lib/ports';
import { foldRecorded, nodeEventOf, nodeStreamId, uuidOfStream } from '../node-streams';
import { resourceEventOf } from '../plain-resources';
import { ofNodeEvent } from './of-node';
import { ofResourceEvent } from './of-resource';
import { Past } from './past';

export interface TranslatorDeps {
  readonly reader: Pick<EventReader, 'readStream' | 'readCommand'>;
  /** `[DEFAULT] log_in_db_max_size`. */
  readonly errorCharsMax: number;
  /** Nothing below it is asked for: events that tell of nothing else are not looked at closer. */
  readonly least: NotificationLevel;
}

/** Events after which something may be an error; at that level no others are folded. */
const tellsOfErrors = /(Failed|TimedOut|Interrupted|Closed)$/;

const metaOf = ({ meta }: RecordedEvent): Pick<EventMeta, 'causation' | 'commandId'> => JSON.parse(meta) as EventMeta;

/** What recorded events are told of as: a pure function of the log up to each of them. */
export class Translator {
  private readonly past: Past;

  constructor(private readonly deps: TranslatorDeps) {
    this.past = new Past(deps.reader);
  }

  /** All notifications of an event in order, whatever their levels; none for what nobody is told of. */
  async of(event: RecordedEvent): Promise<readonly Notification[]> {
    if (!this.mayTell(event.type)) return [];
    if (event.stream.startsWith(nodeStreamId(''))) return this.ofNode(event);
    const kind = plainKinds.find((one) => event.stream.startsWith(`${one}/`));
    return kind === undefined ? [] : this.ofResource(kind, event);
  }

  private mayTell(type: string): boolean {
    const { least } = this.deps;
    if (!Object.hasOwn(eventMeanings, type) || !isSentAt('error', least)) return false;
    return isSentAt('info', least) || tellsOfErrors.test(type);
  }

  private async ofNode(recorded: RecordedEvent): Promise<readonly Notification[]> {
    const event = nodeEventOf(recorded);
    if (!event) return [];
    const before = await this.past.node(recorded.stream, recorded.version - 1);
    const after = foldRecorded(before, [recorded]);
    this.past.keep(recorded.stream, after);
    const isAsked = metaOf(recorded).causation === null;
    const step = { before: before.stream.node, event, after: after.stream.node, isAsked };
    return ofNodeEvent(step, this.deps.errorCharsMax);
  }

  private async ofResource(kind: PlainKind, recorded: RecordedEvent): Promise<readonly Notification[]> {
    const { causation, commandId } = metaOf(recorded);
    if (causation !== null || (await this.goesWithNode(recorded.type, commandId))) return [];
    const before = await this.past.resource(kind, uuidOfStream(recorded.stream), recorded.version - 1);
    const event = resourceEventOf(recorded);
    return ofResourceEvent(kind, before, event, evolveResource(before, event));
  }

  /** Of a node that is deleted it is told as of one thing. */
  private async goesWithNode(type: string, commandId: string): Promise<boolean> {
    if (!/(Removed|Changed)$/.test(type)) return false;
    const written = await this.deps.reader.readCommand(commandId);
    return written.some((one) => one.type === 'NodeRemoved');
  }
}
