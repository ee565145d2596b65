import { subjects } from '@lib/contracts';
import { until } from '../stack';
import { Board, type Listed } from './board';
import { CarefulClient } from './careful-client';
import { readEvents, readOpen, readStream, type Evidence } from './evidence';
import { Journal } from './journal';
import { live, type Machine } from './life';
import { uuidsFrom, type RoundPlan } from './plan';
import { judge } from './referee';
import type { Database, Site } from './site';
import { Storm, type Fallen } from './storm';

export interface Outcome {
  readonly seed: number;
  readonly database: Database;
  readonly nodes: number;
  readonly requests: number;
  /** Requests by what came back: `202`, `503`, `none` and so on. */
  readonly answers: Readonly<Record<string, number>>;
  readonly events: number;
  /** Attempts by how they ended. */
  readonly endings: Readonly<Record<string, number>>;
  readonly fallen: readonly Fallen[];
  readonly slowestAnswerMs: number;
  /** Until the last victim was up again, and until the last client had its answers. */
  readonly stormMs: number;
  readonly livesMs: number;
  /** From then until nothing was open. */
  readonly settledMs: number;
  readonly ms: number;
  readonly complaints: readonly string[];
  /** The last lines of the services, where there are complaints. */
  readonly logs: string;
}

const SETTLE_MS = 120_000;
const CATCH_UP_MS = 30_000;
const PASSING: ReadonlySet<string> = new Set(['verifying', 'inspecting', 'inspect wait']);
const STREAM = subjects.streamName('baremetal');
let machines = 0;

/** Plays one round on a site and judges what it left behind. */
export const playRound = async (site: Site, plan: RoundPlan): Promise<Outcome> => {
  const startMs = performance.now();
  const log = await site.openLog();
  try {
    const headBefore = await log.reader.head();
    const resourceClass = `crash-${site.database}-${plan.seed}-${headBefore}`;
    const uuid = uuidsFrom(plan.seed ^ headBefore);
    const rack = plan.nodes.map(({ number }): Machine => {
      machines += 1;
      return { uuid: uuid(), portUuid: uuid(), name: `${resourceClass}-${number}`, resourceClass, macNumber: machines };
    });
    const journal = new Journal();
    const client = new CarefulClient(site.stack.apiUrl, journal);
    const board = new Board(client, resourceClass);
    const storm = new Storm(site.stack, site.broker, site.onBroker);
    const lives = Promise.all(plan.nodes.map((node, index) => live(node, rack[index] as Machine, client, board)));
    const deaths: string[] = [];
    await storm
      .rage(plan.kills)
      .catch((error: unknown) => deaths.push(`the stack did not come back: ${String(error)}`));
    const stormMs = performance.now() - startMs;
    await lives;
    const calmMs = performance.now();
    await board.stop();
    const settled = await settle(board, () => readOpen(log));
    const times = { stormMs, livesMs: calmMs - startMs, settledMs: performance.now() - calmMs };
    deaths.push(...site.deaths());
    const head = await log.reader.head();
    const evidence: Evidence = {
      entries: journal.entries,
      wishes: journal.wishes,
      events: await readEvents(log, headBefore),
      listed: settled.listed,
      names: new Map(rack.map(({ uuid: id, name }) => [id, name])),
      openDeadlines: settled.deadlines,
      openEffects: settled.effects,
      differences: await site.verify(),
      published: await published(site.broker.url, head),
      head,
      deaths,
    };
    return outcomeOf(site, plan, evidence, storm.fallen, { ...times, ms: performance.now() - startMs });
  } finally {
    await log.close();
  }
};

interface Settled {
  readonly listed: readonly Listed[];
  readonly deadlines: readonly string[];
  readonly effects: readonly string[];
}

/** Waits until nothing is open or under way any more, at most two minutes; what there is then. */
const settle = async (
  board: Board,
  readRows: () => Promise<{ deadlines: string[]; effects: string[] }>,
): Promise<Settled> => {
  let last: Settled = { listed: [], deadlines: ['the API could not be read'], effects: [] };
  const isStill = async (): Promise<boolean> => {
    const listed = await board.read();
    if (listed === null) return false;
    const rows = await readRows();
    last = { listed, ...rows };
    const isBusy = listed.some((node) => PASSING.has(node.provision_state) || node.reservation !== null);
    return !isBusy && rows.deadlines.length === 0 && rows.effects.length === 0;
  };
  await until('stillness', isStill, { timeoutMs: SETTLE_MS, everyMs: 200 }).catch(() => undefined);
  return last;
};

/** The broker's stream, once it has caught up with the log or had time enough to. */
const published = async (natsUrl: string, head: number): Promise<Evidence['published']> => {
  let last: Evidence['published'] = [];
  const isThere = async (): Promise<boolean> => {
    last = await readStream(natsUrl, STREAM);
    return (last.at(-1)?.position ?? 0) >= head;
  };
  await until('the publisher', isThere, { timeoutMs: CATCH_UP_MS, everyMs: 300 }).catch(() => undefined);
  return last;
};

const tally = (words: Iterable<string>): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

const LOG_LINES_SHOWN = 200;

/** A round that could not even be judged. */
export const brokenOff = (site: Site, plan: RoundPlan, error: unknown): Outcome => ({
  seed: plan.seed,
  database: site.database,
  nodes: plan.nodes.length,
  requests: 0,
  answers: {},
  events: 0,
  endings: {},
  fallen: [],
  slowestAnswerMs: 0,
  stormMs: 0,
  livesMs: 0,
  settledMs: 0,
  ms: 0,
  complaints: [`the round broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
  logs: lastLines(site),
});

const lastLines = ({ stack }: Site): string => stack.logs().split('\n').slice(-LOG_LINES_SHOWN).join('\n');

const outcomeOf = (
  site: Site,
  plan: RoundPlan,
  evidence: Evidence,
  fallen: readonly Fallen[],
  times: Pick<Outcome, 'stormMs' | 'livesMs' | 'settledMs' | 'ms'>,
): Outcome => {
  const { entries, events } = evidence;
  const complaints = judge(evidence);
  const ended = events.map(({ type }) => /^Inspection(Finished|Failed|TimedOut|Aborted|Removed)$/.exec(type)?.[1]);
  return {
    seed: plan.seed,
    database: site.database,
    nodes: plan.nodes.length,
    requests: entries.length,
    answers: tally(entries.map(({ status }) => (status === 0 ? 'none' : String(status)))),
    events: events.length,
    endings: tally(ended.filter((ending) => ending !== undefined)),
    fallen,
    slowestAnswerMs: Math.max(0, ...entries.map((entry) => entry.ms)),
    stormMs: Math.round(times.stormMs),
    livesMs: Math.round(times.livesMs),
    settledMs: Math.round(times.settledMs),
    ms: Math.round(times.ms),
    complaints,
    logs: complaints.length === 0 ? '' : lastLines(site),
  };
};
