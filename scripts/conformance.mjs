/**
 * npm run conformance: replays the recorded exchanges, against stacks of its own (one per profile) or, with --base, against
 * a server that runs already. Prints passed / corrected / left and every step left with its reason.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { main, root, runInForeground } from './bootstrap/index.mjs';

const usage = `usage: node scripts/conformance.mjs [--base URL [--inspector URL]] [--profile NAME] [--json FILE] [SCENARIO...]

  --base URL       the Bare Metal API of a running server, set up as the profile asks
  --inspector URL  its inspector; without it the steps for that service are skipped
  --profile NAME   only the scenarios of this profile (with --base: default)
  --json FILE      also write the result of every step
  SCENARIO         names, or files of test/conformance/scenarios
`;

await main((args) => {
  const options = { base: 'string', inspector: 'string', profile: 'string', json: 'string', help: 'boolean' };
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries(Object.entries(options).map(([name, type]) => [name, { type }])),
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const wanted = {
    CONFORMANCE_BASE: values.base,
    CONFORMANCE_INSPECTOR: values.inspector,
    CONFORMANCE_PROFILE: values.profile,
    CONFORMANCE_JSON: values.json,
    CONFORMANCE_ONLY: positionals.length > 0 ? positionals.map((name) => basename(name, '.json')).join(',') : undefined,
  };
  const env = {
    ...process.env,
    ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  };
  const spec = `${root}/test/conformance/conformance.spec.ts`;
  return runInForeground(process.execPath, [`${root}/scripts/test.mjs`, spec], { env });
});
