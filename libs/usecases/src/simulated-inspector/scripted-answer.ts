import type { ScriptedFault, ScriptedStatus } from '@lib/domain/introspection';
import type { Clock } from '@lib/ports';

/** An answer that a script puts in the place of the inspector's own; `none`: no answer at all. */
export class ScriptedAnswer extends Error {
  constructor(
    asked: 'a start' | 'an abort' | 'its status' | 'its data',
    readonly status: number | 'none',
  ) {
    super(`The script of this node answers in the inspector's place when ${asked} is asked for`);
    this.name = 'ScriptedAnswer';
  }
}

/** `seen` counts the questions, this one included. */
export const isDue = ({ times, every }: Pick<ScriptedFault, 'times' | 'every'>, seen: number): boolean =>
  (times === null || seen <= times) && seen % every === 0;

/** Throws where the script has the answer. @throws ScriptedAnswer */
export const answerAsScripted = (asked: 'its data', fault: ScriptedFault | null, seen: number): void => {
  if (fault && isDue(fault, seen)) throw new ScriptedAnswer(asked, fault.answer);
};

/** Keeps the asker waiting as well where the script wants that. @throws ScriptedAnswer */
export const statusAsScripted = async (status: ScriptedStatus | null, seen: number, clock: Clock): Promise<void> => {
  if (!status || !isDue(status, seen)) return;
  const { answer, delayMs } = status;
  if (delayMs > 0) await new Promise<void>((resolve) => void clock.after(delayMs, resolve));
  if (answer !== null) throw new ScriptedAnswer('its status', answer);
};
