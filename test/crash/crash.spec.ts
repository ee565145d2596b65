import { randomInt } from 'node:crypto';
import { postgresFolder } from '@lib/testing/postgres';
import { Campaign, DATABASES, describeOutcome, seedsFrom, summary } from '.';

/** Five small rounds; `npm run crash` plays large ones, and one again from its printed seed. */
const ROUNDS = 5;
const SIZE = { nodes: 24, lengthMs: 6_000, kills: 4 };
/** A round takes some twelve seconds on an idle machine, and as many minutes as it likes on a busy one. */
const ROUND_MS_MAX = 400_000;
const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 31));
const databases = DATABASES.filter((name) => name !== 'postgres' || postgresFolder() !== null);

describe(`kill -9 of conductor, scheduler, api and broker on ${databases.join(' and ')}`, () => {
  const campaign = new Campaign({ seeds: seedsFrom(seed, ROUNDS), databases, size: SIZE });
  beforeAll(() => void process.stdout.write(`crash: CRASH_SEED=${seed}\n`));
  afterAll(() => campaign.close(), 120_000);

  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'does no harm in round %i',
    async (round) => {
      const outcome = await campaign.play(round);
      process.stdout.write(`crash: ${round + 1}/${ROUNDS} ${summary(outcome)}\n`);
      expect(outcome.complaints.length === 0 ? '' : describeOutcome(outcome)).toBe('');
      // A storm in which nothing was asked and nothing fell proves nothing.
      expect(outcome.fallen).toHaveLength(SIZE.kills);
      expect(outcome.requests).toBeGreaterThanOrEqual(SIZE.nodes * 4);
    },
    ROUND_MS_MAX,
  );
});
