import { randomInt } from 'node:crypto';
import { postgresFolder } from '@lib/testing/postgres';
import { DATABASES, describeOutcome, playCampaign, seedsFrom, summary } from '.';

/** Five small rounds; `npm run crash` plays large ones, and one again from its printed seed. */
const ROUNDS = 5;
const SIZE = { nodes: 24, lengthMs: 6_000, kills: 4 };
const campaign = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 31));
const databases = DATABASES.filter((name) => name !== 'postgres' || postgresFolder() !== null);

describe('kill -9 of conductor, scheduler, api and broker', () => {
  it(`does no harm in ${ROUNDS} rounds on ${databases.join(' and ')}`, async () => {
    process.stdout.write(`crash: CRASH_SEED=${campaign}\n`);
    const outcomes = await playCampaign({
      seeds: seedsFrom(campaign, ROUNDS),
      databases,
      size: SIZE,
      onRound: (outcome, number) => process.stdout.write(`crash: ${number}/${ROUNDS} ${summary(outcome)}\n`),
    });
    const harmful = outcomes.filter(({ complaints }) => complaints.length > 0);
    expect(harmful.map(describeOutcome).join('\n\n')).toBe('');
    // A storm in which nothing was asked and nothing fell proves nothing.
    expect(outcomes.every(({ fallen, requests }) => fallen.length === SIZE.kills && requests >= SIZE.nodes * 4)).toBe(
      true,
    );
  }, 420_000);
});
