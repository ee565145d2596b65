import type { DerivedRow, RecordedEvent } from '@lib/ports';
import { metaOf } from './stream-derivation';

interface Run {
  readonly command_id: string;
  readonly first_position: number;
  last_position: number;
}

/**
 * Gathers the rows of commands from events that come in order of position: an append's events are adjacent, so a command
 * is a run of neighbours. Holds one run only.
 */
export class CommandRuns {
  private open: Run | null = null;

  /** The run that ended before this event, if one did. Throws Unfoldable for a meta that is no JSON. */
  add(event: RecordedEvent): readonly DerivedRow[] {
    const { commandId } = metaOf(event);
    if (this.open?.command_id === commandId) {
      this.open.last_position = event.position;
      return [];
    }
    const ended = this.end();
    this.open = { command_id: commandId, first_position: event.position, last_position: event.position };
    return ended;
  }

  /** The run that was the last. */
  end(): readonly DerivedRow[] {
    const { open } = this;
    return open ? [{ ...open }] : [];
  }
}
