/**
 * The field's INI dialect (oslo), read line by line so that a problem can name its line:
 * - `#` and `;` begin a comment only at the start of a line; inside a value they are text (`http://h/#x`).
 * - `name = value` or `name: value`; a pair of quotes around the whole value is taken off.
 * - An indented line continues the value above; a blank line ends it.
 * - Names and sections are plain text: dots and brackets in them mean nothing. A repeated option: the last one wins.
 * General INI readers differ in each of these points (inline comments, nested sections, arrays, `true` as a default).
 */
import type { RawValue } from '@lib/contracts/settings';

export interface IniText {
  readonly values: readonly RawValue[];
  readonly problems: readonly string[];
}

interface Open {
  section: string;
  name: string;
  text: string;
  source: string;
}

export function readIni(content: string, fileName: string): IniText {
  const values: Open[] = [];
  const problems: string[] = [];
  let section: string | undefined;
  let open: Open | undefined;

  const option = (line: string, source: string): void => {
    const parts = /^([^=:]+)[=:](.*)$/.exec(line);
    const name = parts?.[1]?.trim() ?? '';
    if (name === '') problems.push(`${source}: neither [section] nor name = value`);
    else if (section === undefined) problems.push(`${source}: ${name} stands before the first [section]`);
    else values.push((open = { section, name, text: parts?.[2] ?? '', source }));
  };

  for (const [index, line] of content
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const source = `line ${index + 1} of ${fileName}`;
    const trimmed = line.trim();
    if (trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    if (/^\s/.test(line) && trimmed !== '') {
      if (open) open.text += ` ${trimmed}`;
      else problems.push(`${source}: an indented line continues a value, and there is none above`);
      continue;
    }
    open = undefined;
    if (trimmed === '') continue;
    const header = /^\[(.*)\]$/.exec(trimmed)?.[1]?.trim();
    if (header === undefined) option(trimmed, source);
    else if (header === '') problems.push(`${source}: the section has no name`);
    else section = header;
  }
  return { values: values.map((value) => ({ ...value, text: unquoted(value.text.trim()) })), problems };
}

function unquoted(text: string): string {
  const pair = /^(["'])(.*)\1$/s.exec(text);
  return pair?.[2] ?? text;
}
