import { Refusal } from '@lib/domain';
import type { RefusalCode } from '@lib/domain';

/** Rules as two pure functions, and the state before the first event (style, habit 1). */
export interface Decider<Command, Event, State, Context> {
  readonly initial: State;
  readonly decide: (command: Command, state: State, context: Context) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
}

/**
 * Rules as sentences: `given(...past).when(command).then(...events)`, `.thenNothing()`, `.thenRefused(code)`.
 * `contextAt` makes what a decision is handed beside the state; `when` passes its second argument there.
 */
export function specify<Command, Event, State, Context, At = void>(
  { initial, decide, evolve }: Decider<Command, Event, State, Context>,
  contextAt: (at: At) => Context,
) {
  return (...past: readonly (Event | readonly Event[])[]) => {
    const before = (past.flat() as Event[]).reduce(evolve, initial);
    return {
      when: (command: Command, at: At) => {
        const events = () => decide(command, before, contextAt(at));
        return {
          then: (...expected: readonly Event[]) => expect(events()).toEqual(expected),
          thenNothing: () => expect(events()).toEqual([]),
          /** The state after it: what `decide` returned must be accepted by `evolve`. */
          thenState: (): State => events().reduce(evolve, before),
          thenRefused: (code: RefusalCode, waitsForRelease = false) => {
            const refusal = refusalOf(events);
            expect([refusal.code, refusal.waitsForRelease]).toEqual([code, waitsForRelease]);
            return refusal;
          },
        };
      },
    };
  };
}

/** The refusal that an act ends in; any other error passes through, and so does its absence. */
export function refusalOf(act: () => unknown): Refusal {
  let returned: unknown;
  try {
    returned = act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error(`nothing was refused, but this was returned: ${JSON.stringify(returned)}`);
}
