import { withoutStyle } from './plain-text';

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const NARROWEST = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

const widthOf = (character: string): number => (NARROWEST.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** Columns that a text takes on a terminal. */
export const displayWidth = (text: string): number =>
  Array.from(withoutStyle(text)).reduce((sum, character) => sum + widthOf(character), 0);

/** The text in at most `width` columns; what does not fit ends in an ellipsis. For texts without style. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > width - 1) break;
    kept += character;
  }
  return width > 0 ? `${kept.trimEnd()}…` : '';
}

export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)));

/** The text in lines of at most `width` columns, broken between words; a word that is longer is broken anywhere. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
    while (displayWidth(line) > width) {
      const head = Array.from(line)
        .slice(0, Math.max(1, Math.floor(width / 2)))
        .join('');
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line];
}
