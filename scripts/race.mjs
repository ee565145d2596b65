/** npm run race: abort, callback, timeout and delete in the same milliseconds, 100 rounds; 1,000 with `-- --full`. */
import { main, readArguments, root, runInForeground, wholeNumber } from './bootstrap/index.mjs';

const ROUNDS = '100';
const ROUNDS_FULL = '1000';

await main((args) => {
  const read = readArguments(args, {
    usage: 'npm run race [-- --full] (RACE_SEED=n repeats the rounds of a seed)',
    about: 'Lets abort, callback, timeout and delete meet within the same milliseconds on the real stack.',
    options: {
      full: { help: `Play ${ROUNDS_FULL} rounds.` },
      rounds: { value: 'N', help: `How many rounds (${ROUNDS}).` },
      json: { value: 'FILE', help: 'Also write how many tests passed, failed and were skipped.' },
    },
  });
  if (!read) return 0;
  const { full, rounds = process.env.RACE_ROUNDS ?? ROUNDS, json } = read.values;
  const env = { ...process.env, RACE_ROUNDS: full ? ROUNDS_FULL : `${wholeNumber(rounds, '--rounds')}` };
  const result = json ? [`--result=${json}`] : [];
  return runInForeground(process.execPath, [`${root}/scripts/test.mjs`, `${root}/test/race/`, ...result], { env });
});
