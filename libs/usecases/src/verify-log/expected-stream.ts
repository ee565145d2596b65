import type { RecordedEvent, StreamId } from '@lib/ports';
import { StreamDerivation, Unfoldable } from '../derived-rows';
import type { ProjectionOptions } from '../project-node';
import type { TableRow } from './compare-rows';
import type { Difference } from './difference';

/** What one stream's events ask for, or why that cannot be told. */
export interface ExpectedStream {
  readonly stream: StreamId;
  readonly version: number;
  /** Null: the events cannot be folded, there is nothing to compare with. */
  readonly rows: readonly TableRow[] | null;
}

/** Folds a stream; an event that cannot follow is told once, and ends the fold. */
export class StreamFold {
  private readonly derivation: StreamDerivation;
  private broken: Unfoldable | null = null;
  private version = 0;

  constructor(
    readonly stream: StreamId,
    options: ProjectionOptions,
    private readonly tell: (difference: Difference) => void = () => undefined,
  ) {
    this.derivation = new StreamDerivation(stream, options);
  }

  add(event: RecordedEvent): void {
    this.version = event.version;
    this.guarded(() => this.derivation.add(event));
  }

  end(): ExpectedStream {
    let rows: readonly TableRow[] | null = null;
    this.guarded(() => {
      rows = this.derivation.rows();
    });
    return { stream: this.stream, version: this.version, rows };
  }

  private guarded(work: () => void): void {
    if (this.broken) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof Unfoldable)) throw error;
      this.broken = error;
      const { stream, version, position } = error.event;
      const where = `${stream} version ${version} (position ${position})`;
      this.tell({ what: 'event', where, expected: 'an event that can follow here', found: error.message });
    }
  }
}

/** A concept of another release gives heads only, and not whether the stream's last event removed it. */
export const isForeign = (stream: StreamId): boolean => !/^(node|port)\//.test(stream);

export const keyRows = (rows: readonly TableRow[]): readonly TableRow[] =>
  rows.filter(({ table }) => 'plain' in table && table.plain === 'unique_keys');
