import { ended, InspectorRefusal, moved } from '@lib/domain/introspection';
import { uuidOf } from './nodes';
import type { InspectorRoom, Plan } from './room';
import { ScriptedAnswer } from './scripted-answer';

const refuses = (plan: Plan): boolean =>
  plan.script.script === 'refuse-abort' && (plan.script.times === null || plan.abortsSeen <= plan.script.times);

const powerOff = async (room: InspectorRoom, uuid: string): Promise<void> => {
  await room.parts.api.setPower(uuid, 'power off').catch((error: unknown) => {
    room.parts.logger.warn({ node: uuid, error: String(error) }, 'The aborted node was not powered off');
  });
};

const abortBehindTheAnswer = async (room: InspectorRoom, uuid: string): Promise<void> => {
  // From `error` the event leads back to `error` and nothing changes; from `finished` it is impossible (§3.4).
  const row = moved(room.row(uuid), 'abort');
  if (row.state !== 'aborting') return;
  room.put(row);
  // Killed in the middle, it is `aborting` when it comes back, and the clean-up ends it (§3.4).
  await room.kept.settled();
  if (row.manageBoot) await powerOff(room, uuid);
  room.put(ended(row, 'abort_end', room.parts.clock.now(), 'Canceled by operator'));
};

/**
 * POST /v1/introspection/{node}/abort: accepted now, done behind the answer (contract: inspector-api.md §3.4).
 * @throws InspectorRefusal NOT_FOUND, LOCKED; ScriptedAnswer
 */
export const abortIntrospection = async (
  room: InspectorRoom,
  ident: string,
  onFirstAbort: (uuid: string, plan: Plan) => void,
): Promise<void> => {
  const uuid = await uuidOf(room, ident);
  const row = room.row(uuid);
  const plan = room.plans.get(uuid);
  if (plan?.run === row.run && row.finishedAt === null) {
    plan.abortsSeen += 1;
    room.touched(uuid);
    if (plan.abortsSeen === 1) onFirstAbort(uuid, plan);
    if (refuses(plan)) throw new ScriptedAnswer('an abort', plan.script.answer);
    if (plan.script.script === 'ignore-abort') return;
  }
  const release = room.locks.tryTake(uuid);
  if (!release) throw new InspectorRefusal('LOCKED', `Node ${uuid} is locked, please retry later`);
  room.background('abort', uuid, async () => {
    try {
      await abortBehindTheAnswer(room, uuid);
    } finally {
      release();
    }
  });
};
