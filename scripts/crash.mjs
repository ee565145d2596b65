/**
 * npm run crash: kill -9 of conductor, scheduler, api and broker while machines are inspected, 5 rounds on real stacks; 50
 * with `-- --full`. `SEED=n` plays the plan of one round again.
 */
import { randomInt } from 'node:crypto';
import { ensurePackages, findBroker, main, Problem, readArguments, requireNode, root } from './bootstrap/index.mjs';
import { wholeNumber } from './bootstrap/index.mjs';

const ROUNDS = 5;
const ROUNDS_FULL = 50;
const NODES = 200;
const LENGTH_MS = 30_000;
const KILLS = 12;
const MINUTE_MS = 60_000;
const DATABASES = ['sqlite', 'postgres'];

await main(async (args) => {
  const read = readArguments(args, {
    usage: 'npm run crash [-- OPTION...] (SEED=n plays the plan of one round again, CRASH_SEED=n all rounds)',
    about:
      'Kills services and the broker at random moments while machines are created, inspected, aborted, timed out and removed;\n' +
      'then compares answers, log, published events, nodes and open rows, and runs "ferrolog verify". Each round prints its seed.\n' +
      'What is killed and when follows from it; how the processes meet that is up to the machine.',
    options: {
      full: { help: `Play ${ROUNDS_FULL} rounds.` },
      rounds: { value: 'N', help: `How many rounds (${ROUNDS}).` },
      nodes: { value: 'N', help: `Machines of a round (${NODES}).` },
      database: {
        value: 'NAME',
        help: 'sqlite or postgres; without it both, in turn, each with one log for all its rounds.',
      },
      keep: { help: 'Leave the folders of the stacks in place.' },
      json: { help: 'Print the result as JSON; progress goes to standard error.' },
    },
  });
  if (!read) return 0;
  requireNode();
  await ensurePackages();
  const broker = await findBroker();
  if (broker.missing) throw new Problem(broker.missing);
  return play(read.values);
});

/** Answers the exit code: 0 when no round did harm. */
async function play({ full = false, rounds = ROUNDS, nodes = NODES, database, keep = false, json = false }) {
  const { load } = await import('./docs/load-typescript.mjs');
  const crash = load(`${root}/test/crash/index.ts`);
  const databases = chosen(database, load('@lib/testing/postgres').postgresFolder() !== null);
  const seeds = seedsOf(full ? ROUNDS_FULL : wholeNumber(`${rounds}`, '--rounds'), databases, crash);
  const tell = (line) => (json ? process.stderr : process.stdout).write(`${line}\n`);
  const startedMs = performance.now();
  const campaign = new crash.Campaign({
    seeds,
    databases,
    size: { nodes: wholeNumber(`${nodes}`, '--nodes'), lengthMs: LENGTH_MS, kills: KILLS },
    keepHome: keep,
  });
  const outcomes = [];
  try {
    for (const round of seeds.keys()) {
      const outcome = await campaign.play(round);
      outcomes.push(outcome);
      const describe = outcome.complaints.length > 0 ? crash.describeOutcome : crash.summary;
      tell(`${round + 1}/${seeds.length} ${describe(outcome)}`);
    }
  } finally {
    await campaign.close();
  }
  const failing = outcomes.filter(({ complaints }) => complaints.length > 0);
  const minutes = ((performance.now() - startedMs) / MINUTE_MS).toFixed(1);
  tell(`${outcomes.length} rounds in ${minutes} minutes, ${failing.length} failed`);
  for (const { seed, database: name } of failing) tell(`  SEED=${seed} npm run crash -- --database ${name}`);
  if (json) process.stdout.write(`${JSON.stringify({ rounds: outcomes.length, failed: failing.length, outcomes })}\n`);
  return failing.length === 0 ? 0 : 1;
}

function chosen(name, hasPostgres) {
  if (name !== undefined && !DATABASES.includes(name)) {
    throw new Problem(`--database takes ${DATABASES.join(' or ')}, not "${name}"`);
  }
  if (name !== 'sqlite' && !hasPostgres) {
    throw new Problem(
      'The PostgreSQL server is not installed (apt-get install postgresql); --database sqlite does without.',
    );
  }
  return name === undefined ? DATABASES : [name];
}

/** One round's seed, on every database; or the rounds of a campaign. */
function seedsOf(rounds, databases, { seedsFrom }) {
  const { SEED, CRASH_SEED } = process.env;
  if (SEED !== undefined) return databases.map(() => wholeNumber(SEED, 'SEED'));
  return seedsFrom(CRASH_SEED === undefined ? randomInt(2 ** 31) : wholeNumber(CRASH_SEED, 'CRASH_SEED'), rounds);
}
