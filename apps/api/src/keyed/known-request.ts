import { requestStreamId, type KeptAnswer, type RequestAccepted } from '@lib/contracts';
import type { EventMeta, EventReader, RecordedEvent } from '@lib/ports';

/** How long a key is remembered. */
export const KEY_LIFE_MS = 24 * 60 * 60 * 1000;

/** An accepted request as the log has it. */
export interface KnownRequest {
  /** Of its RequestAccepted. */
  readonly version: number;
  readonly commandId: string;
  readonly fingerprint: string | undefined;
  /** Stream of what it was about. */
  readonly target: string;
  /** Null: it was not answered, or its answer was not kept. */
  readonly answer: KeptAnswer | null;
}

export interface KeyState {
  /** The last version of the key's stream. */
  readonly head: number;
  /** Null: the key is new, or forgotten. */
  readonly known: KnownRequest | null;
}

/** The end of the key's stream: the last acceptance and, if it is there, its answer. */
export async function keyState(id: string, reader: EventReader, now: number): Promise<KeyState> {
  const stream = requestStreamId(id);
  const head = (await reader.versions([stream])).get(stream)?.version ?? 0;
  if (head === 0) return { head, known: null };
  const last = await reader.readStream(stream, Math.max(0, head - 2), 2);
  const accepted = last.findLast(({ type }) => type === 'RequestAccepted');
  const isKnown = accepted !== undefined && now < accepted.recordedAt + KEY_LIFE_MS;
  return { head, known: isKnown ? knownRequest(accepted, last) : null };
}

function knownRequest(accepted: RecordedEvent, last: readonly RecordedEvent[]): KnownRequest {
  const { commandId, fingerprint } = JSON.parse(accepted.meta) as EventMeta;
  const { target } = JSON.parse(accepted.data) as RequestAccepted;
  const answered = last.find(({ type, version }) => type === 'RequestAnswered' && version === accepted.version + 1);
  const answer = answered ? (JSON.parse(answered.data) as KeptAnswer) : null;
  return { version: accepted.version, commandId, fingerprint, target, answer };
}
