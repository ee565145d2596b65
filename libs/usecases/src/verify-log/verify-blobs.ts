import { createHash } from 'node:crypto';
import type { EventReader, RecordedEvent } from '@lib/ports';
import type { Difference } from './difference';

/** Contents looked at lately: many machines of a kind have the same. */
const SEEN_MAX = 10_000;

const naming = new Set(['InspectionFinished', 'InspectionFailed', 'InspectionCleanUpStarted', 'InspectionDataRefused']);

/** The blobs that events name are there, and hash to their names. */
export class BlobCheck {
  private readonly seen = new Set<string>();

  constructor(private readonly reader: Pick<EventReader, 'readBlob'>) {}

  async check(event: RecordedEvent): Promise<Difference[]> {
    const differences: Difference[] = [];
    for (const hash of namedBy(event)) {
      if (this.seen.has(hash)) continue;
      if (this.seen.size >= SEEN_MAX) this.seen.clear();
      this.seen.add(hash);
      const found = await this.hashOf(hash);
      if (found === hash) continue;
      const where = `blob of ${event.stream} version ${event.version}`;
      differences.push({ what: 'blob', where, expected: hash, found });
    }
    return differences;
  }

  private async hashOf(hash: string): Promise<string | null> {
    try {
      const bytes = await this.reader.readBlob(hash);
      return bytes && createHash('sha256').update(bytes).digest('hex');
    } catch (error) {
      // Damaged bytes cannot be expanded; a store that cannot be read at all says so at the next page.
      return `nothing that can be read (${error instanceof Error ? error.message : String(error)})`;
    }
  }
}

type Named = { readonly inventory: string; readonly pluginData: string } | null;

function namedBy({ type, data }: RecordedEvent): string[] {
  if (!naming.has(type)) return [];
  try {
    const { inventory, payload = inventory } = JSON.parse(data) as {
      readonly inventory?: Named;
      readonly payload?: Named;
    };
    return payload ? [payload.inventory, payload.pluginData] : [];
  } catch {
    return []; // an event that is no JSON is told by the fold
  }
}
