/** Versions stand in the declarations: no code that answers or decides compares a version with a number of its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const rooms = ['apps/api/src', 'libs/usecases/src', 'libs/domain/src'];

const sources = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.startsWith('spec/'))
    .map((path) => join(room, path)),
);

/** A comparison of a version with digits, or a constant of one's own that names a version. */
const ownVersion = /\bminor\b\s*[<>=!]=*\s*\d|\d\s*[<>]=?\s*(?:\w+\.)*minor\b|_(?:SINCE|MINOR|VERSION)\w*\s*=\s*\d/;

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');

it('knows a number when it sees one', () => {
  for (const text of ['if (minor >= 39)', 'call.minor < 27', '102 <= call.minor', 'const TOKEN_SINCE = 62;'])
    expect([text, ownVersion.test(text)]).toEqual([text, true]);
  expect(ownVersion.test('minor >= since.names')).toBe(false);
});

it('there are sources to look at', () => expect(sources.length).toBeGreaterThan(200));

it('no source has a version of its own', () => {
  const found = sources.flatMap((path) => {
    const lines = withoutComments(readFileSync(join(root, path), 'utf8')).split('\n');
    return lines.filter((line) => ownVersion.test(line)).map((line) => `${path}: ${line.trim()}`);
  });
  expect(found).toEqual([]);
});
