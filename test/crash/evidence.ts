import type { StoredLogReader } from '@lib/adapters/event-log-typeorm';
import { connect, type JsMsg } from 'nats';
import type { Listed } from './board';
import type { Entry, Wish } from './journal';

/** An event as it stands in the log. */
export interface Logged {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
}

/** A message of the broker's stream: where it stands there, and the position that its id names. */
export interface Published {
  readonly sequence: number;
  readonly position: number;
}

/** All that a round left behind. */
export interface Evidence {
  readonly entries: readonly Entry[];
  readonly wishes: readonly Wish[];
  /** Events of the round, in order. */
  readonly events: readonly Logged[];
  /** Nodes of the round as the API lists them. */
  readonly listed: readonly Listed[];
  /** Names that clients gave, by uuid. */
  readonly names: ReadonlyMap<string, string>;
  /** Rows that are still open when time enough has passed. */
  readonly openDeadlines: readonly string[];
  readonly openEffects: readonly string[];
  /** What `ferrolog verify` has to say; empty when clean. */
  readonly differences: readonly string[];
  /** The whole stream of the broker, read after the log ended at `head`. */
  readonly published: readonly Published[];
  readonly head: number;
  /** What ended without being killed, and what did not come back. */
  readonly deaths: readonly string[];
}

const PAGE = 2_000;
const FETCH_MS = 5_000;

/** Events after a position. */
export const readEvents = async ({ reader }: StoredLogReader, after: number): Promise<Logged[]> => {
  const events: Logged[] = [];
  for (let position = after; ;) {
    const page = await reader.readAll(position, PAGE);
    for (const { position: at, stream, version, type, data, meta } of page) {
      const { requestId } = JSON.parse(meta) as { requestId: string | null };
      events.push({ position: at, stream, version, type, data: JSON.parse(data) as Logged['data'], requestId });
    }
    const last = page.at(-1);
    if (last === undefined) return events;
    position = last.position;
  }
};

const EVERYTHING = { after: '', upTo: null } as const;

/** What is open or held, whatever it belongs to. */
export const readOpen = async ({ derived }: StoredLogReader): Promise<{ deadlines: string[]; effects: string[] }> => {
  const deadlines = await derived.ofStreams('deadlines', EVERYTHING);
  const effects = await derived.ofStreams('effects', EVERYTHING);
  return {
    deadlines: deadlines
      .filter(({ status }) => status !== 'closed')
      .map(({ stream_id: stream, n, status }) => `deadline ${n} of ${stream} (${status})`),
    effects: effects.map(({ stream_id: stream, n, json }) => `effect ${n} of ${stream}: ${json}`),
  };
};

/** The broker's stream from its first message to its last. */
export const readStream = async (natsUrl: string, streamName: string): Promise<Published[]> => {
  const connection = await connect({ servers: natsUrl, name: 'crash evidence' });
  try {
    const manager = await connection.jetstreamManager();
    const { state } = await manager.streams.info(streamName);
    if (state.messages === 0) return [];
    const consumer = await connection.jetstream().consumers.get(streamName);
    const published: Published[] = [];
    while ((published.at(-1)?.sequence ?? 0) < state.last_seq) {
      const before = published.length;
      for await (const message of await consumer.fetch({ max_messages: PAGE, expires: FETCH_MS })) {
        published.push(placeOf(message));
      }
      if (published.length === before) break;
    }
    return published;
  } finally {
    await connection.close();
  }
};

const placeOf = (message: JsMsg): Published => ({
  sequence: message.seq,
  position: Number(message.headers?.get('Nats-Msg-Id').split(':')[1] ?? Number.NaN),
});
