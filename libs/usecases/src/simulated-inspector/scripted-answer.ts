import type { ScriptedFault } from '@lib/domain/introspection';

/** An answer that a script puts in the place of the inspector's own; `none`: no answer at all. */
export class ScriptedAnswer extends Error {
  constructor(
    asked: 'a start' | 'an abort' | 'its status',
    readonly status: number | 'none',
  ) {
    super(`The script of this node answers in the inspector's place when ${asked} is asked for`);
    this.name = 'ScriptedAnswer';
  }
}

/** Throws where the script has the answer. `seen` counts the questions, this one included. @throws ScriptedAnswer */
export const answerAsScripted = (asked: 'a start' | 'its status', fault: ScriptedFault | null, seen: number): void => {
  if (fault && (fault.times === null || seen <= fault.times)) throw new ScriptedAnswer(asked, fault.answer);
};
