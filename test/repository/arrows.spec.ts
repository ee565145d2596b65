/** The rules of .dependency-cruiser.js on a toy tree: each one fires where it must, and lets every good arrow pass. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root';
import { plant } from './toy-tree';

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

const cruiser = join(repositoryRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const imports = (...modules: string[]) =>
  modules.map((module, i) => `import * as m${i} from '${module}'; export const x${i} = m${i};`).join('\n');

const goodTree: Record<string, string> = {
  'tsconfig.json': readFileSync(join(repositoryRoot, 'tsconfig.json'), 'utf8'),
  'node_modules/nats/package.json': '{ "name": "nats", "version": "2.29.3", "main": "index.js" }',
  'node_modules/nats/index.js': 'exports.connect = () => null;',
  'package.json': '{ "name": "toy", "dependencies": { "nats": "2.29.3" } }',
  'libs/domain/src/index.ts': "export * from './node';",
  'libs/domain/src/node/index.ts': "export * from './decide';",
  'libs/domain/src/node/decide.ts': 'export const decide = 1;',
  'libs/domain/src/node/decide.spec.ts': imports('@lib/testing', 'node:fs', './decide'),
  'libs/contracts/src/index.ts': imports('@lib/domain/node'),
  'libs/ports/src/index.ts': imports('@lib/domain', '@lib/contracts'),
  'libs/usecases/src/index.ts': imports('@lib/domain', '@lib/contracts', '@lib/ports'),
  'libs/adapters/src/bus/index.ts': imports('@lib/ports', 'nats'),
  'libs/client/src/index.ts': imports('@lib/contracts'),
  'libs/extension/src/index.ts': imports('@lib/ports'),
  'libs/testing/src/index.ts': imports('@lib/ports'),
  'apps/api/src/index.ts': imports('@lib/usecases', '@lib/adapters/bus', 'nats'),
  'apps/ferrolog/src/main.ts': imports('@app/api'),
  'test/race/race.spec.ts': imports('@lib/testing', '@lib/usecases'),
  'test/whole/whole.ts': imports('@app/api', '@lib/testing'),
};

/** Rule -> a file that breaks it and what the file imports. */
const bad: [rule: string, file: string, ...modules: string[]][] = [
  ['domain-is-pure', 'libs/domain/src/node/reads-a-file.ts', 'node:fs'],
  ['domain-is-pure', 'libs/domain/src/node/package.ts', 'nats'],
  ['domain-is-pure', 'libs/domain/src/node/up.ts', '@lib/client'],
  ['contracts-looks-down', 'libs/contracts/src/words/index.ts', '@lib/client'],
  ['ports-looks-down', 'libs/ports/src/up/index.ts', '@lib/adapters/bus'],
  ['usecases-looks-down', 'libs/usecases/src/up/index.ts', '@lib/client'],
  ['adapters-looks-down', 'libs/adapters/src/up/index.ts', '@lib/usecases'],
  ['client-looks-down', 'libs/client/src/up.ts', '@lib/ports'],
  ['extension-looks-down', 'libs/extension/src/up.ts', '@lib/usecases'],
  ['testing-looks-down', 'libs/testing/src/up.ts', '@lib/adapters/bus'],
  ['nobody-imports-an-app', 'apps/conductor/src/index.ts', '@app/api'],
  ['nobody-imports-an-app', 'libs/adapters/src/app/index.ts', '@app/api'],
  ['nobody-imports-an-app', 'test/simulation/day.spec.ts', '@app/api'],
  ['compose-by-the-door', 'apps/ferrolog/src/up.ts', '../../api/src/inner'],
  ['compose-by-the-door', 'test/whole/inner.ts', '../../apps/api/src/inner'],
  ['enter-by-the-door', 'apps/conductor/src/inner.ts', '@lib/domain/node/decide'],
  ['enter-by-the-door', 'libs/ports/src/inner.ts', '@lib/domain/node/decide'],
  ['enter-by-the-door', 'test/simulation/inner.ts', '../../libs/domain/src/node/decide'],
  ['framework-at-the-edge', 'libs/usecases/src/direct/index.ts', 'nats'],
  ['framework-at-the-edge', 'libs/contracts/src/indirect/index.ts', './step'],
  ['framework-at-the-edge', 'libs/contracts/src/indirect/step.ts', 'nats'],
  ['testing-stays-in-tests', 'apps/conductor/src/fake-clock.ts', '@lib/testing'],
  ['no-cycles', 'libs/usecases/src/egg.ts', './hen'],
  ['nothing-missing', 'apps/api/src/lost.ts', './nowhere'],
];

function violations(files: Record<string, string>): Violation[] {
  const tree = plant(files);
  try {
    const config = join(repositoryRoot, '.dependency-cruiser.js');
    const args = [cruiser, '--config', config, '--output-type', 'json', 'apps', 'libs', 'test'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree.folder, encoding: 'utf8' });
    if (!stdout) throw new Error(stderr);
    return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
  } finally {
    tree.remove();
  }
}

describe('the arrows', () => {
  test('let every good arrow pass', () => {
    expect(violations(goodTree)).toEqual([]);
  });

  test('are each stopped by their own rule', () => {
    const badTree = Object.fromEntries(bad.map(([, file, ...modules]) => [file, imports(...modules)]));
    const targets = {
      'apps/api/src/inner.ts': 'export const inner = 1;',
      'libs/usecases/src/hen.ts': imports('./egg'),
    };
    const found = violations({ ...goodTree, ...targets, ...badTree }).map(({ rule, from }) => `${rule.name}: ${from}`);
    for (const [rule, file] of bad) expect(found).toContain(`${rule}: ${file}`);
    const expectedFiles = new Set(bad.map(([, file]) => file));
    expect(found.filter((line) => !expectedFiles.has(line.split(': ')[1]!))).toEqual([]);
  });

  test('leave no rule without a proof', () => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the tool's configuration is CommonJS
    const { forbidden } = require('../../.dependency-cruiser.js') as { forbidden: { name: string }[] };
    expect([...new Set(bad.map(([rule]) => rule))].sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });
});
