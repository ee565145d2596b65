/** One jest for all rooms; specs stand beside the code, whole-stack tests under test/. */
const { readFileSync } = require('node:fs');
const tsconfig = JSON.parse(readFileSync(`${__dirname}/tsconfig.json`, 'utf8'));

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const moduleNameMapper = Object.fromEntries(
  Object.entries(tsconfig.compilerOptions.paths).map(([alias, [target]]) => [
    `^${escape(alias).replace('\\*', '(.*)')}$`,
    `<rootDir>/${target.replace('*', '$1')}`,
  ]),
);

module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  // Not in the temporary folder, which `npm test` makes anew for each run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testMatch: ['<rootDir>/(apps|libs|test)/**/*.spec.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
        },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper,
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  // Ends what hangs. No test is judged by its speed: a busy machine may be ten times slower than a quiet one.
  testTimeout: 120_000,
  // Many specs wait for real processes and real time: with two of them a third of both cores was idle.
  maxWorkers: 3,
};
