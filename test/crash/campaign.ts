import { planRound, roundSeed, type RoundSize } from './plan';
import { brokenOff, playRound, type Outcome } from './round';
import { openSite, type Database, type Site } from './site';

export interface CampaignOptions {
  /** Seeds of the rounds, in order. */
  readonly seeds: readonly number[];
  /** Round n is played on `databases[n mod length]`; the rounds of one database share a stack and its log. */
  readonly databases: readonly Database[];
  readonly size: RoundSize;
  readonly keepHome?: boolean;
}

/** As many rounds from one number, which names them all. */
export const seedsFrom = (campaign: number, rounds: number): number[] =>
  Array.from({ length: rounds }, (_, round) => roundSeed(campaign, round));

/** Rounds one after the other on as many stacks as there are databases. */
export class Campaign {
  private readonly sites = new Map<Database, Site>();

  constructor(private readonly options: CampaignOptions) {}

  /** Rounds count from 0. Behind one that did harm, the next on its database begins with a new stack. */
  async play(round: number): Promise<Outcome> {
    const { seeds, databases, size, keepHome = false } = this.options;
    const database = databases[round % databases.length] as Database;
    const plan = planRound(seeds[round] as number, size);
    const site = this.sites.get(database) ?? (await openSite(database, keepHome));
    this.sites.set(database, site);
    const outcome = await playRound(site, plan).catch((error: unknown) => brokenOff(site, plan, error));
    if (outcome.complaints.length > 0) {
      this.sites.delete(database);
      await site.close();
    }
    return outcome;
  }

  async close(): Promise<void> {
    for (const site of this.sites.values()) await site.close();
    this.sites.clear();
  }
}

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
