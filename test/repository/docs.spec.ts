/** Documents cannot lie: the generated ones are those of this code, and every link leads somewhere. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from './repository-root';

const pages = ['README.md', ...readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })]
  .map((path) => (path === 'README.md' ? path : join('docs', path)))
  .filter((path) => path.endsWith('.md'));

test('the generated pages are up to date [1.14]', () => {
  const args = ['scripts/docs/index.mjs', '--check'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: repositoryRoot, encoding: 'utf8' });
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
});

test.each(pages)('every link of %s leads to a file of the repository', (page) => {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');
  const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1]!);
  expect(targets.filter((target) => !existsSync(join(repositoryRoot, dirname(page), target)))).toEqual([]);
});

test('every decision says its context, what was decided, what was rejected, and what follows', () => {
  const decisions = pages.filter((page) => /^docs\/adr\/\d{4}-.+\.md$/.test(page));
  expect(decisions.length).toBeGreaterThan(0);
  const incomplete = decisions.filter((page) => {
    const headings = readFileSync(join(repositoryRoot, page), 'utf8').match(/^## .+$/gm);
    return JSON.stringify(headings) !== JSON.stringify(['## Context', '## Decision', '## Rejected', '## Consequences']);
  });
  expect(incomplete).toEqual([]);
});
