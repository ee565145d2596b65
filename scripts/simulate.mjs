/** npm run simulate: the whole system in one process, 500 days from as many seeds; 100,000 with `-- --full`. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensurePackages, main, readArguments, requireNode, root, wholeNumber } from './bootstrap/index.mjs';

const DAYS = 500;
const DAYS_FULL = 100_000;
const DAYS_PER_ORDER = 20;
const MAX_OLD_SPACE_MB = 1024;
const script = fileURLToPath(import.meta.url);

if (process.send) work();
else {
  await main(async (args) => {
    const read = readArguments(args, {
      usage: 'npm run simulate [-- OPTION...] (SEED=n plays one day again and tells its hash)',
      about:
        'Plays the whole system in one process, a day for each seed: faults, crashes, lost messages, clock jumps, and operators\n' +
        'who move, pause and resume deadlines, abort with a reason and use data that is there.',
      options: {
        full: { help: `Play ${DAYS_FULL} days.` },
        days: { value: 'N', help: `How many days (${DAYS}; SIMULATE_DAYS).` },
        from: { value: 'SEED', help: 'The first seed (1; SIMULATE_FROM).' },
        workers: { value: 'N', help: 'In how many processes (one for each core; SIMULATE_WORKERS).' },
        json: { help: 'Print the result as JSON; progress goes to standard error.' },
      },
    });
    if (!read) return 0;
    requireNode();
    await ensurePackages();
    const { env } = process;
    const { full, json = false, ...given } = read.values;
    if (env.SEED !== undefined) return play({ first: wholeNumber(env.SEED, 'SEED'), days: 1, workers: 1, json });
    const number = (name, fallback) =>
      wholeNumber(given[name] ?? env[`SIMULATE_${name.toUpperCase()}`] ?? `${fallback}`, `--${name}`);
    const days = full ? DAYS_FULL : number('days', DAYS);
    return play({ first: number('from', 1), days, workers: number('workers', availableParallelism()), json });
  });
}

/** Plays the days of an order and sends each outcome; the master sends the next order. */
async function work() {
  const { load } = await import('./docs/load-typescript.mjs');
  const { simulate } = load(`${root}/test/simulation/index.ts`);
  process.on('message', async ({ from, days }) => {
    for (let seed = from; seed < from + days; seed += 1) process.send({ outcome: await simulate(seed) });
    process.send({ ready: true });
  });
  process.on('disconnect', () => process.exit());
  process.send({ ready: true });
}

/** Answers the exit code: 0 when every day was good. */
async function play({ first, days, workers, json }) {
  const tally = { played: 0, events: 0, failing: [], died: [] };
  const tell = (text) => (json ? process.stderr : process.stdout).write(text);
  let next = first;
  const order = () => {
    if (next >= first + days) return null;
    const from = next;
    next = Math.min(next + DAYS_PER_ORDER, first + days);
    return { from, days: next - from };
  };
  await Promise.all(
    Array.from({ length: Math.max(1, Math.min(workers, days)) }, () =>
      employ(order, (outcome) => report(outcome, tally, days, tell), tally),
    ),
  );
  const { played, events, failing, died } = tally;
  for (const problem of died) tell(`a worker died: ${problem}\n`);
  const seeds = failing.length > 0 ? `, failing seeds: ${failing.join(' ')}` : '';
  process.stdout.write(
    json ? `${JSON.stringify(tally)}\n` : `${played} days, ${events} events, ${failing.length} failed${seeds}\n`,
  );
  return failing.length === 0 && died.length === 0 && played === days ? 0 : 1;
}

function employ(order, ended, tally) {
  return new Promise((resolve) => {
    const worker = fork(script, [], { execArgv: [`--max-old-space-size=${MAX_OLD_SPACE_MB}`] });
    worker.on('message', ({ outcome, ready }) => {
      if (outcome) return ended(outcome);
      const next = ready ? order() : null;
      if (next) worker.send(next);
      else worker.disconnect();
    });
    worker.on('exit', (code, signal) => {
      if (code !== 0) tally.died.push(`exit code ${code}, signal ${signal}`);
      resolve();
    });
  });
}

function report({ seed, complaints, story, events, hash }, tally, days, tell) {
  tally.played += 1;
  tally.events += events;
  if (complaints.length > 0) {
    tally.failing.push(seed);
    const lines = [...story.map((line) => `  ${line}`), ...complaints.map((text) => `  => ${text}`)];
    tell(`\nseed ${seed} fails; replay it with SEED=${seed} npm run simulate\n${lines.join('\n')}\n\n`);
  } else if (days === 1) tell(`seed ${seed}: a good day, ${events} events, hash ${hash}\n`);
  if (tally.played % 100 === 0) {
    tell(`${tally.played}/${days} days, ${tally.events} events, ${tally.failing.length} failed\n`);
  }
}
