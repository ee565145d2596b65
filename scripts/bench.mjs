/** npm run bench: speed and memory of the whole stack, as ratios beside the bare parts, measured in one run. */
import { writeFileSync } from 'node:fs';
import {
  compile,
  ensurePackages,
  findBroker,
  main,
  Problem,
  readArguments,
  requireNode,
  root,
} from './bootstrap/index.mjs';

if (process.env.BENCH_WORKER) (await bench()).runWorker();
else await main(measure);

async function measure(args) {
  const read = readArguments(args, {
    usage: 'npm run bench [-- OPTION...]',
    about:
      'Measures the stack in slices, in turns with the bare parts that it is made of; prints medians with [min..max], ratios,\n' +
      'and aims with whether they were met. A quarter of an hour on two cores. An aim that is not met fails nothing.',
    options: {
      only: {
        value: 'NAME,...',
        help: 'Only these: show, list, commands, cycles, inspections, deadlines, pages-middle, show-large, list-large, pages-large, fold, memory.',
      },
      quick: { help: 'Everything once and small: that it works, not how fast it is.' },
      json: { value: 'FILE', help: 'Also write the report as JSON; - to standard output, in the place of the lines.' },
      soak: { value: 'MINUTES', help: 'Memory over time under a steady load, in the place of the measures.' },
      profile: { value: 'FOLDER', help: 'A CPU profile of each service, written when it ends.' },
    },
  });
  if (!read) return 0;
  requireNode();
  await ensurePackages();
  // What it started ends when the process exits, which it does not do by itself on a signal.
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])
    process.once(signal, () => process.exit(code));
  const { json, ...given } = read.values;
  const { measureNames, runBench, rowText, machineText } = await bench();
  const options = { ...given, only: names(given.only, measureNames), soakMinutes: minutes(given.soak) };
  const broker = await findBroker();
  if (broker.missing) throw new Problem(broker.missing);
  await compile();
  const say = (line) => json !== '-' && process.stdout.write(`${line}\n`);
  const startedAt = Date.now();
  const progress = (line) => process.stderr.write(`[${Math.round((Date.now() - startedAt) / 1000)} s] ${line}\n`);
  try {
    const report = await runBench({ ...options, progress, onRow: (row) => say(rowText(row)) });
    say(`${machineText(report.machine)}; ${report.seconds} s in all`);
    if (json === '-') process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}

function names(text, known) {
  const asked = text?.split(',');
  const unknown = asked?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Problem(`no measure is called "${unknown}"; there are ${known.join(', ')}`);
  return asked;
}

function minutes(text) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0)) throw new Problem(`--soak takes a number of minutes, not "${text}"`);
  return value;
}

async function bench() {
  const { load } = await import('./docs/load-typescript.mjs');
  return load(`${root}/test/bench/index.ts`);
}
