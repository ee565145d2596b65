import { planRound, roundSeed, type RoundSize } from './plan';
import { playRound, type Outcome } from './round';
import { openSite, type Database, type Site } from './site';

export interface Campaign {
  /** Seeds of the rounds, in order. */
  readonly seeds: readonly number[];
  /** Round n is played on `databases[n mod length]`; the rounds of one database share a stack and its log. */
  readonly databases: readonly Database[];
  readonly size: RoundSize;
  readonly keepHome?: boolean;
  readonly onRound?: (outcome: Outcome, number: number) => void;
}

/** As many rounds from one number, which names them all. */
export const seedsFrom = (campaign: number, rounds: number): number[] =>
  Array.from({ length: rounds }, (_, round) => roundSeed(campaign, round));

/** Plays all rounds, also behind one that failed. */
export const playCampaign = async (campaign: Campaign): Promise<Outcome[]> => {
  const sites = new Map<Database, Site>();
  const outcomes: Outcome[] = [];
  try {
    for (const [number, seed] of campaign.seeds.entries()) {
      const database = campaign.databases[number % campaign.databases.length] as Database;
      const site = sites.get(database) ?? (await openSite(database, campaign.keepHome ?? false));
      sites.set(database, site);
      const outcome = await playRound(site, planRound(seed, campaign.size));
      outcomes.push(outcome);
      campaign.onRound?.(outcome, number + 1);
    }
  } finally {
    for (const site of sites.values()) await site.close();
  }
  return outcomes;
};

/** A round in one line. */
export const summary = (outcome: Outcome): string => {
  const { seed, database, nodes, requests, answers, events, endings, fallen, slowestAnswerMs } = outcome;
  const list = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([word, count]) => `${word} ${count}`)
      .join(', ');
  const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`;
  return [
    `SEED=${seed} on ${database}: ${seconds(outcome.ms)}, ${nodes} nodes, ${fallen.length} kills`,
    `all up after ${seconds(outcome.stormMs)}, all asked after ${seconds(outcome.livesMs)}, still ${seconds(outcome.settledMs)} later`,
    `${requests} requests (${list(answers)}), slowest ${seconds(slowestAnswerMs)}`,
    `${events} events (${list(endings)})`,
    outcome.complaints.length === 0 ? 'no harm' : `${outcome.complaints.length} complaints`,
  ].join('; ');
};

/** For the one who has to find out why: the plan's kills, every complaint, the services' last lines. */
export const describeOutcome = (outcome: Outcome): string =>
  [
    summary(outcome),
    ...outcome.fallen.map(({ victim, fellMs, downMs }) => `  killed ${victim} at ${fellMs} ms, down ${downMs} ms`),
    ...outcome.complaints.map((complaint) => `  => ${complaint}`),
    outcome.logs,
  ].join('\n');
