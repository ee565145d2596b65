/** Lint. Every rule here is a habit of the project that a machine can watch; formatting is Prettier's alone. */
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const specs = ['**/*.spec.ts'];
const nodeGlobals = Object.fromEntries(
  ['process', 'console', 'Buffer', 'URL', 'fetch', 'AbortSignal', 'AbortController', 'TextDecoder', 'TextEncoder']
    .concat(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'structuredClone'])
    .concat(['performance', 'require', 'module', '__dirname', '__filename'])
    .map((name) => [name, 'readonly']),
);

/** The compiler of Nest makes `@lib/*` relative in static imports only. */
const staticAlias = {
  selector: 'ImportExpression[source.value=/^@(lib|app)[/]/]',
  message: 'An alias inside import() is not rewritten by the build: import it at the top of the file.',
};

/** Time, chance and the environment are handed in, so that a decision replays anywhere (libs/ports/src/clock.ts). */
const handedIn = {
  'no-restricted-globals': [
    'error',
    ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].map((name) => ({
      name,
      message: 'Timers are handed in: use the Clock port.',
    })),
    ...['process', 'performance', 'crypto', 'fetch'].map((name) => ({
      name,
      message: 'Environment, time, chance and network are handed in through ports.',
    })),
  ],
  'no-restricted-imports': [
    'error',
    {
      paths: ['timers', 'timers/promises', 'node:timers', 'node:timers/promises', 'process', 'node:process'].map(
        (name) => ({
          name,
          message: 'Time and environment are handed in through ports.',
        }),
      ),
    },
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: 'Time is handed in: commands carry `now`.' },
    { object: 'Math', property: 'random', message: 'Chance is handed in: use the Chance port.' },
    { object: 'globalThis', property: 'setTimeout', message: 'Timers are handed in: use the Clock port.' },
    { object: 'globalThis', property: 'process', message: 'The environment is handed in.' },
  ],
  'no-restricted-syntax': [
    'error',
    staticAlias,
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: 'Time is handed in: no `new Date()`.',
    },
    { selector: "CallExpression[callee.name='Date']", message: 'Time is handed in: no `Date()`.' },
    { selector: "CallExpression[callee.name='require']", message: 'Import at the top of the file.' },
  ],
};

const runner = '/^(it|test|describe)$/';
const honestSpecs = {
  'no-restricted-syntax': [
    'error',
    {
      selector: `MemberExpression[object.name=${runner}][property.name='only']`,
      message: 'A focused test hides the others.',
    },
    {
      selector: `MemberExpression[object.name=${runner}][property.name='todo']`,
      message: 'Write the test or leave it out.',
    },
    {
      selector: `CallExpression[callee.object.name=${runner}][callee.property.name='skip']`,
      message:
        'No skipped test; where a tool may be missing choose `available ? describe : describe.skip` and say why.',
    },
    {
      selector: 'CallExpression[callee.name=/^(fit|fdescribe|xit|xtest|xdescribe)$/]',
      message: 'No focused or skipped test.',
    },
    {
      selector:
        "CallExpression[callee.property.name=/^(toBe|toEqual)$/][callee.object.callee.name='expect'][callee.object.arguments.0.type='Literal'][arguments.0.type='Literal']",
      message: 'A test that cannot fail proves nothing.',
    },
  ],
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/'] },
  js.configs.recommended,
  {
    files: ['**/*.{js,cjs,mjs,ts}'],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 400 }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'anywhere' }],
      'prefer-const': 'error',
    },
  },
  { files: ['**/*.{js,cjs,mjs}'], languageOptions: { globals: nodeGlobals } },
  { files: ['**/*.{js,cjs}'], languageOptions: { sourceType: 'commonjs' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-syntax': ['error', staticAlias],
      // Nest modules are classes that hold nothing but their decorator.
      '@typescript-eslint/no-extraneous-class': 'off',
    },
  },
  { files: ['libs/domain/**/*.ts', 'libs/usecases/**/*.ts'], ignores: specs, rules: handedIn },
  { files: specs, rules: honestSpecs },
);
