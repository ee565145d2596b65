import type { EffectValue, JsonObject } from '@lib/domain';
import type { Call, Machine, WorkPiece } from '@lib/ports';
import { failureIn, scriptUnder } from './fake-script';

/**
 * The node's own script, so that a machine that does nothing can show every ending: `extra.fake = {"deploy": {"fails":
 * "why", "waits": true, "abortable": false}}`. It holds for each step of that work, and the arguments of a step go before
 * it. What waits fails when its ramdisk has called back.
 */
const scriptOf = (machine: Machine, { work, step }: WorkPiece): JsonObject => ({
  ...scriptUnder(machine, work),
  ...step?.args,
});

const isYes = (value: unknown): boolean => value === true || value === 'true';

/** Whether the piece hands over to the ramdisk: a step does each time, work in one piece does once. */
const waits = (script: JsonObject, { step, resumed, aborted }: WorkPiece): boolean =>
  isYes(script['waits']) && !aborted && (step !== null || !resumed);

/** Plays a piece as the script says, and touches nothing. */
export async function playPiece(machine: Machine, piece: WorkPiece, call: Call): Promise<EffectValue> {
  await call.stillStands();
  const script = scriptOf(machine, piece);
  const willWait = waits(script, piece);
  const { abortable } = script;
  const failure = failureIn(script);
  if (failure !== null && !willWait) throw new Error(failure);
  return willWait ? { waits: { abortable: abortable !== false && abortable !== 'false' } } : {};
}
