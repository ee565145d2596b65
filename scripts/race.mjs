/** npm run race: abort, callback, timeout and delete in the same milliseconds, 100 rounds; 1,000 with `-- --full`. */
import { main, root, runInForeground } from './bootstrap/index.mjs';

await main((args) => {
  const rest = args.filter((arg) => arg !== '--full');
  const rounds = args.includes('--full') ? '1000' : (process.env.RACE_ROUNDS ?? '100');
  const env = { ...process.env, RACE_ROUNDS: rounds };
  return runInForeground(process.execPath, [`${root}/scripts/test.mjs`, `${root}/test/race/`, ...rest], { env });
});
