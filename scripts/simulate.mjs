/**
 * npm run simulate: the whole system in one process, 500 days from as many seeds; 100,000 with `-- --full`. `SEED=n` replays
 * one. SIMULATE_FROM is the first seed, SIMULATE_DAYS how many there are, SIMULATE_WORKERS in how many processes.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensurePackages, main, Problem, requireNode, root } from './bootstrap/index.mjs';

const DAYS_PER_ORDER = 20;
const MAX_OLD_SPACE_MB = 1024;
const script = fileURLToPath(import.meta.url);

if (process.send) work();
else {
  await main(async (args) => {
    requireNode();
    await ensurePackages();
    if (process.env.SEED !== undefined) return play(wholeNumber(process.env.SEED), 1, 1);
    const days = args.includes('--full') ? 100_000 : wholeNumber(process.env.SIMULATE_DAYS ?? '500');
    const from = wholeNumber(process.env.SIMULATE_FROM ?? '1');
    return play(from, days, wholeNumber(process.env.SIMULATE_WORKERS ?? `${availableParallelism()}`));
  });
}

function wholeNumber(text) {
  if (!/^\d+$/.test(text)) throw new Problem(`"${text}" is no whole number`);
  return Number(text);
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
async function play(first, days, workers) {
  const tally = { played: 0, events: 0, failing: [], died: [] };
  let next = first;
  const order = () => {
    if (next >= first + days) return null;
    const from = next;
    next = Math.min(next + DAYS_PER_ORDER, first + days);
    return { from, days: next - from };
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(workers, days)) }, () => employ(order, tally, days)));
  const { played, events, failing, died } = tally;
  for (const problem of died) process.stdout.write(`a worker died: ${problem}\n`);
  const seeds = failing.length > 0 ? `, failing seeds: ${failing.join(' ')}` : '';
  process.stdout.write(`${played} days, ${events} events, ${failing.length} failed${seeds}\n`);
  return failing.length === 0 && died.length === 0 && played === days ? 0 : 1;
}

function employ(order, tally, days) {
  return new Promise((resolve) => {
    const worker = fork(script, [], { execArgv: [`--max-old-space-size=${MAX_OLD_SPACE_MB}`] });
    worker.on('message', ({ outcome, ready }) => {
      if (outcome) return report(outcome, tally, days);
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

function report({ seed, complaints, story, events, hash }, tally, days) {
  tally.played += 1;
  tally.events += events;
  if (complaints.length > 0) {
    tally.failing.push(seed);
    const lines = [...story.map((line) => `  ${line}`), ...complaints.map((text) => `  => ${text}`)];
    process.stdout.write(`\nseed ${seed} fails; replay it with SEED=${seed} npm run simulate\n${lines.join('\n')}\n\n`);
  } else if (days === 1) process.stdout.write(`seed ${seed}: a good day, ${events} events, hash ${hash}\n`);
  if (tally.played % 100 === 0) {
    process.stdout.write(`${tally.played}/${days} days, ${tally.events} events, ${tally.failing.length} failed\n`);
  }
}
