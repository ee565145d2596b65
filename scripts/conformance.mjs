/**
 * npm run conformance: replays the recorded exchanges, against stacks of its own (one per profile) or, with --base, against
 * a server that runs already. Prints passed / corrected / left and every step left with its reason.
 */
import { basename } from 'node:path';
import { main, readArguments, root, runInForeground } from './bootstrap/index.mjs';

await main((args) => {
  const read = readArguments(args, {
    usage: 'npm run conformance [-- OPTION... SCENARIO...] (names, or files of test/conformance/scenarios)',
    about: 'Replays the recorded exchanges and compares every answer.',
    options: {
      base: { value: 'URL', help: 'The Bare Metal API of a running server, set up as the profile asks.' },
      inspector: { value: 'URL', help: 'Its inspector; without it the steps for that service are skipped.' },
      profile: { value: 'NAME', help: 'Only the scenarios of this profile (with --base: default).' },
      json: { value: 'FILE', help: 'Also write the result of every step.' },
    },
    positionals: true,
  });
  if (!read) return 0;
  const { values, positionals } = read;
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
