/** npm start and npm run demo: packages, compile, broker, then the command line's `up` or `demo`. */
import {
  compile,
  ensurePackages,
  findBroker,
  main,
  mainProgram,
  requireNode,
  runInForeground,
} from './bootstrap/index.mjs';

await main(async ([command, ...args]) => {
  requireNode();
  await ensurePackages();
  await compile();
  const withoutBroker = await singleWhereNoBroker(args);
  return runInForeground(process.execPath, [mainProgram, command, ...withoutBroker, ...args]);
});

/** One process with the bus inside needs no broker: so the stack runs on a machine that has none, and says so. */
async function singleWhereNoBroker(args) {
  if (args.some((arg) => arg === '--single' || arg === '--help' || arg === '-h')) return [];
  const { missing } = await findBroker();
  if (!missing) return [];
  process.stderr.write(`${missing}\nGoing on in one process with the bus inside (--single).\n`);
  return ['--single'];
}
