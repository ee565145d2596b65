import { simulate } from '.';
import type { Outcome } from '.';
import { Fate } from './fate';
import { onceFailing } from './seeds';

const DAYS = 16;
// Days that together reach everything that is looked for below, most of it several times.
const FIRST_SEED = 89;

/** What a failing day is reported as. */
const report = ({ seed, complaints, story }: Outcome): string =>
  complaints.length === 0 ? '' : [`SEED=${seed} npm run simulate`, ...story, ...complaints].join('\n');

describe('a simulated day', () => {
  const seen = new Set<string>();
  const hashes = new Map<number, string>();

  it.each(Array.from({ length: DAYS }, (_, index) => FIRST_SEED + index))(
    'from seed %i breaks no rule',
    async (seed) => {
      const outcome = await simulate(seed);
      expect(report(outcome)).toBe('');
      for (const type of outcome.types) seen.add(type);
      hashes.set(seed, outcome.hash);
    },
  );

  it('reaches every ending and every kind of outcome', () => {
    const deep = [
      'InspectionFinished',
      'InspectionFailed',
      'InspectionTimedOut',
      'InspectionAborted',
      'InspectionAbortRefused',
      'InspectionRemoved',
      'InspectionResumed',
      'InspectionRetryPlanned',
      'PowerChangeFailed',
      'BootDeviceChangeRefused',
      'WorkFailed',
      'WorkInterrupted',
      'WorkWaiting',
      'WorkResumed',
      'WorkTimedOut',
      'WorkAborted',
      'EffectClosed',
      'NodeRemoved',
      'PortRemoved',
      'DeadlineExtended',
      'DeadlinePaused',
      'DeadlineResumed',
      'InspectionDataRefused',
      'InspectionStarted with refused data',
      'InspectionStarted with data once more',
      'InspectionStarted as a retry',
      'InspectionAborted with a reason',
      'WorkAborted with a reason',
    ];
    expect(deep.filter((type) => !seen.has(type))).toEqual([]);
  });

  it.each(onceFailing)('from seed %i does not break its rule again: %s', async (seed) => {
    expect(report(await simulate(seed))).toBe('');
  });

  it('is the same from the same seed, and another from another', async () => {
    const again = await simulate(FIRST_SEED);
    expect(again.hash).toBe(hashes.get(FIRST_SEED));
    expect(new Set(hashes.values()).size).toBe(DAYS);
  });
});

describe('a fate', () => {
  it('gives each purpose a sequence of its own', () => {
    const throws = (purpose: string) => Array.from({ length: 5 }, () => new Fate('x').of(purpose).between(0, 1000));
    expect(throws('a')).toEqual(throws('a'));
    expect(throws('a')).not.toEqual(throws('b'));
  });
});
