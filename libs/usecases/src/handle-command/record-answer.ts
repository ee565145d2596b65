import { requestStreamId } from '@lib/contracts';
import type { Command, RequestAnswered } from '@lib/contracts';
import type { EventMeta } from '@lib/ports';
import { newEvent } from '../new-event';
import type { HandlerDeps } from './deps';

type RecordAnswer = Extract<Command, { type: 'RecordAnswer' }>;

/** Keeps the answer to a request with a key, the first one for good: who comes second is told, and gives the first one's. */
export async function recordAnswer(
  { uuid, version, answer }: RecordAnswer,
  meta: EventMeta,
  { commits, reader }: HandlerDeps,
): Promise<{ readonly kept: boolean }> {
  const stream = requestStreamId(uuid);
  let kept = true;
  await commits.commit(uuid, meta, async () => {
    kept = (await reader.versions([stream])).get(stream)?.version === version;
    if (!kept) return { events: [] };
    const data: RequestAnswered = answer;
    return {
      events: [],
      writes: [{ stream, expected: version, events: [newEvent({ type: 'RequestAnswered', data })] }],
    };
  });
  return { kept };
}
