import { declaredOptions, differenceTable, optionTables, serviceNames } from './index';

describe('the documentation of the options', () => {
  const rows = optionTables().split('\n');

  it.each(declaredOptions().map(({ section, name }): [string, string] => [section, name]))(
    'has [%s] %s in its section',
    (section, name) => {
      const start = rows.indexOf(`## [${section}]`);
      expect(start).toBeGreaterThanOrEqual(0);
      const next = rows.findIndex((row, index) => index > start && row.startsWith('## '));
      const own = rows.slice(start, next === -1 ? undefined : next).filter((row) => row.startsWith(`| \`${name}\` |`));
      expect(own).toHaveLength(1);
      expect(own[0]?.split(/(?<!\\)\|/)).toHaveLength(9);
    },
  );

  it('names every difference with its reason, and nothing else', () => {
    const named = differenceTable().split('\n').slice(2).filter(Boolean);
    const declared = declaredOptions().filter(({ option }) => option.difference);
    expect(named).toHaveLength(declared.length);
    for (const { section, name, option } of declared) {
      expect(
        named.filter(
          (row) => row.startsWith(`| \`[${section}] ${name}\``) && row.includes(option.difference?.why ?? '?'),
        ),
      ).toHaveLength(1);
    }
  });

  it('says who reads each option', () => {
    for (const { name, option } of declaredOptions()) {
      expect({ name, known: option.readBy.every((service) => serviceNames.includes(service)) }).toEqual({
        name,
        known: true,
      });
      expect(option.readBy.length).toBeGreaterThan(0);
      expect(option.meaning).toMatch(/\.$/);
    }
  });
});
