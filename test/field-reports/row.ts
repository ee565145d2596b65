/** What every field report asks of a system beside its own point. */
import type { DerivedTables, EventReader, RecordedEvent } from '@lib/ports';
import { verifyLog } from '@lib/usecases/verify-log';
import type { ProjectionOptions } from '@lib/usecases';

export interface Kept {
  readonly log: EventReader;
  readonly derived: DerivedTables;
}

const PAGE = 1000;
const shipped: ProjectionOptions = { errorCharsMax: 4096, historyEntriesMax: 300 };
const ends: ReadonlySet<string> = new Set([
  'InspectionFinished',
  'InspectionFailed',
  'InspectionTimedOut',
  'InspectionAborted',
  'InspectionRemoved',
]);

export async function wholeLog(log: EventReader): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await log.readAll(events.at(-1)?.position ?? 0, PAGE);
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

const byStream = (events: readonly RecordedEvent[]): ReadonlyMap<string, readonly RecordedEvent[]> => {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const stream = streams.get(event.stream);
    if (stream) stream.push(event);
    else streams.set(event.stream, [event]);
  }
  return streams;
};

const attemptOf = ({ data }: RecordedEvent): number => (JSON.parse(data) as { attempt: number }).attempt;

/** Attempts that have not exactly one ending, in words; the last one of a node may still be open. */
export function oddAttempts(events: readonly RecordedEvent[]): string[] {
  return [...byStream(events)].flatMap(([stream, own]) => {
    const started = own.filter(({ type }) => type === 'InspectionStarted').map(attemptOf);
    const ended = own.filter(({ type }) => ends.has(type)).map(attemptOf);
    const unknown = ended.filter((attempt) => !started.includes(attempt));
    return [
      ...unknown.map((attempt) => `${stream}: an ending of attempt ${attempt}, which never started`),
      ...started.flatMap((attempt, index) => {
        const endings = ended.filter((one) => one === attempt).length;
        const isOpen = endings === 0 && index === started.length - 1;
        return endings === 1 || isOpen ? [] : [`${stream}: attempt ${attempt} has ${endings} endings`];
      }),
    ];
  });
}

/** Streams whose versions do not rise by one, in words. */
export function oddVersions(events: readonly RecordedEvent[]): string[] {
  return [...byStream(events)].flatMap(([stream, own]) =>
    own.flatMap(({ version }, index) =>
      version === index + 1 ? [] : [`${stream}: version ${version} is number ${index + 1}`],
    ),
  );
}

/** No 500, no hole in the versions, one ending per attempt, and all that derives from the events is what they say. */
export async function expectSound(kept: Kept, statuses: readonly number[], options = shipped): Promise<void> {
  expect(statuses.filter((status) => status === 500)).toEqual([]);
  const events = await wholeLog(kept.log);
  expect(oddVersions(events)).toEqual([]);
  expect(oddAttempts(events)).toEqual([]);
  const differences: unknown[] = [];
  await verifyLog(
    { reader: kept.log, derived: kept.derived, options },
    { onDifference: (one) => differences.push(one) },
  );
  expect(differences).toEqual([]);
}

/** As `expectSound`, of something that is ended whatever is found. */
export async function expectSoundEnd(
  whole: { readonly stored: Kept; readonly statuses: readonly number[]; stop(): Promise<void> },
  options = shipped,
): Promise<void> {
  try {
    await expectSound(whole.stored, whole.statuses, options);
  } finally {
    await whole.stop();
  }
}
