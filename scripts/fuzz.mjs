/** npm run fuzz: requests out of the description of the API, good and bad, against the whole stack; 50,000 with `-- --full`. */
import { randomInt } from 'node:crypto';
import { ensurePackages, main, readArguments, requireNode, root, wholeNumber } from './bootstrap/index.mjs';

const REQUESTS = 2_000;
const REQUESTS_FULL = 50_000;
const PROGRESS_EVERY = 1_000;
const FINDINGS_SHOWN = 20;
const LOG_LINES_SHOWN = 40;

await main(async (args) => {
  const read = readArguments(args, {
    usage: 'npm run fuzz [-- OPTION...] (FUZZ_SEED=n sends the requests of a seed again)',
    about:
      'Sends wrong types, sizes, encodings, ids, versions, methods, headers and bodies to a stack in one process, or to --base.\n' +
      'Nothing may be answered with a 5xx, or otherwise than /openapi.json describes, or not at all. The seed is printed.',
    options: {
      full: { help: `Send ${REQUESTS_FULL} requests.` },
      requests: { value: 'N', help: `How many requests (${REQUESTS}; FUZZ_REQUESTS).` },
      base: { value: 'URL', help: 'A Bare Metal API of ours that runs already. What it holds is changed and removed.' },
      json: { help: 'Print the result as JSON; progress goes to standard error.' },
    },
  });
  if (!read) return 0;
  requireNode();
  await ensurePackages();
  const { env } = process;
  const { full, requests = env.FUZZ_REQUESTS ?? `${REQUESTS}`, base, json = false } = read.values;
  const seed = env.FUZZ_SEED === undefined ? randomInt(2 ** 31 - 1_000) : wholeNumber(env.FUZZ_SEED, 'FUZZ_SEED');
  return fuzz({ seed, requests: full ? REQUESTS_FULL : wholeNumber(requests, '--requests'), base, json });
});

/** Answers the exit code: 0 when every answer was good. */
async function fuzz({ seed, requests, base, json }) {
  const { load } = await import('./docs/load-typescript.mjs');
  const { fuzzedStack, runCampaign } = load(`${root}/test/fuzz/index.ts`);
  const tell = (text) => (json ? process.stderr : process.stdout).write(`${text}\n`);
  tell(`seed ${seed}`);
  const stack = base === undefined ? await fuzzedStack() : { url: base, logs: () => '', stop: async () => undefined };
  try {
    const progress = (sent, failed) => {
      if (sent % PROGRESS_EVERY === 0) tell(`${sent}/${requests} requests, ${failed} failed`);
    };
    const result = await runCampaign({ url: stack.url, seed, requests, progress });
    report(result, stack.logs(), tell);
    const statuses = Object.entries(result.statuses).map(([status, count]) => `${status}: ${count}`);
    const { length: failed } = result.findings;
    const replay = failed > 0 ? `, replay with FUZZ_SEED=${seed} npm run fuzz -- --requests ${requests}` : '';
    tell(statuses.join(', '));
    process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${requests} requests, ${failed} failed${replay}\n`);
    return failed === 0 ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

function report({ findings }, logs, tell) {
  for (const { at, request, complaints } of findings.slice(0, FINDINGS_SHOWN)) {
    tell(`\nrequest ${at}: ${request}\n${complaints.map((text) => `  => ${text}`).join('\n')}`);
  }
  if (findings.length > FINDINGS_SHOWN) tell(`... ${findings.length - FINDINGS_SHOWN} more`);
  if (findings.length > 0) tell(`\nlast lines of the log:\n${logs.split('\n').slice(-LOG_LINES_SHOWN).join('\n')}`);
}
