import { type DeclaredOption, declaredOptions, sections } from './declaration';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${text}\``;

/** A default as a reader wants it: words stay words, values become code. */
function shown(text: string | null): string {
  if (text === null) return '(unset)';
  if (text === '') return '(empty)';
  return text.includes(' ') ? text : code(text.replaceAll(',', ', '));
}

function row({ name, option }: DeclaredOption): string {
  const { difference, unit, oldNames } = option;
  const ironic = difference ? (difference.ironic === null ? 'no such option' : shown(difference.ironic)) : 'the same';
  const meaning = oldNames
    ? `${option.meaning} Former name, accepted with a warning: ${oldNames.map(code).join(', ')}.`
    : option.meaning;
  const type = unit ? `${option.type}, ${unit}` : option.type;
  return `| ${[code(name), type, option.accepts, shown(option.defaultText), ironic, option.readBy.join(', '), meaning].map(cell).join(' | ')} |`;
}

/** One table per section, in Markdown. */
export function optionTables(): string {
  const all = declaredOptions();
  return Object.keys(sections)
    .map((name) =>
      [
        `## [${name}]`,
        '',
        "| option | type | accepts | default | Ironic's default | read by | meaning |",
        '| --- | --- | --- | --- | --- | --- | --- |',
        ...all.filter(({ section }) => section === name).map(row),
        '',
      ].join('\n'),
    )
    .join('\n');
}

/** Every default that is not Ironic's, and why. */
export function differenceTable(): string {
  const rows = declaredOptions().flatMap(({ section, name, option: { defaultText, difference } }) =>
    difference
      ? [
          `| ${code(`[${section}] ${name}`)} | ${shown(defaultText)} | ${difference.ironic === null ? 'no such option' : shown(difference.ironic)} | ${cell(difference.why)} |`,
        ]
      : [],
  );
  return ['| option | here | Ironic | why |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}
