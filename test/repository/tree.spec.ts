/** What a fresh clone holds: the top level, the pins, and nothing of the machine on which it was made. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const trackedFiles = () =>
  execFileSync('git', ['ls-files', '-z'], { cwd: repositoryRoot, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repositoryRoot, path)));

/** Recorded by others, kept byte for byte: what they name is their own machine. */
const recorded = /^test\/(contract-data|conformance\/scenarios|histories)\/|\/examples\//;

describe('the top level', () => {
  test.each([
    ...[
      'package.json',
      'package-lock.json',
      'nest-cli.json',
      'tsconfig.json',
      'docker-compose.yml',
      'README.md',
      'LICENSE',
    ],
    ...['apps', 'libs', 'test', 'docs/adr', 'docs/architecture.md', 'docs/release-notes', '.dependency-cruiser.js'],
  ])('holds %s', (path) => {
    expect(existsSync(join(repositoryRoot, path))).toBe(true);
  });

  test.each(['.ci/run', 'scripts/ferrolog.mjs'])('%s can be run', (path) => {
    expect(() => accessSync(join(repositoryRoot, path), constants.X_OK)).not.toThrow();
  });

  test('has no drawer for odds and ends', () => {
    expect(trackedFiles().filter((path) => /(^|\/)(common|shared|utils|helpers)\//.test(path))).toEqual([]);
  });
});

interface Manifest {
  readonly scripts: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}
interface Lock {
  readonly packages: Record<string, { version?: string; resolved?: string; integrity?: string; inBundle?: boolean }>;
}

describe('the packages', () => {
  const manifest = JSON.parse(read('package.json')) as Manifest;
  const lock = JSON.parse(read('package-lock.json')) as Lock;
  const pins = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });

  test('are pinned exactly', () => {
    expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test('are locked at their pins', () => {
    expect(pins.map(([name]) => [name, lock.packages[`node_modules/${name}`]?.version])).toEqual(pins);
  });

  test('are locked by digest and not by the address of a registry', () => {
    const others = Object.entries(lock.packages).filter(([path]) => path !== '');
    expect(others.length).toBeGreaterThan(pins.length);
    expect(others.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(others.filter(([, { integrity, inBundle }]) => integrity === undefined && !inBundle)).toEqual([]);
  });

  test('every script names a file that is here', () => {
    const named = Object.values(manifest.scripts).flatMap((line) => line.match(/scripts\/\S+\.mjs/g) ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
  });

  // npm passes SIGTERM to its shell and no further: the script has to take the shell's place.
  test('every script of ours can be stopped by a signal to npm', () => {
    const lines = Object.values(manifest.scripts).filter((line) => line.includes('scripts/'));
    expect(lines.filter((line) => !/^exec node scripts\/\S+( \w+)?$/.test(line))).toEqual([]);
  });
});

describe('what lands', () => {
  const textFiles = trackedFiles().filter((path) => !recorded.test(path) && path !== 'package-lock.json');

  test('names no folder of the machine on which it was written', () => {
    const home = homedir() === '/' ? [] : [`${homedir()}/`];
    const checkout = repositoryRoot.split('/').length > 2 ? [`${repositoryRoot}/`] : [];
    const places = [...home, ...checkout];
    const found = textFiles.filter((path) => {
      const text = read(path);
      return places.some((place) => text.includes(place)) || /\/(home|Users)\/[a-z]\w*\//.test(text);
    });
    expect(found).toEqual([]);
  });

  test('is finished', () => {
    const words = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`);
    expect(textFiles.filter((path) => words.test(read(path)))).toEqual([]);
  });
});
