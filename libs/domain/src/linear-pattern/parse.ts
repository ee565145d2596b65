import { inAnyCase, isLineEnd, named, remembered } from './characters';
import { TooDeep, Unbounded } from './syntax';
import type { Flags, Holds, Piece } from './syntax';

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', v: '\v', f: '\f', b: '\b' };
const groupStart = /^\((?:\?(?:(:|=|!|<=|<!)|<[^>]*>))?/;
const counts = /^(?:[*+?]|\{(\d+)(,(\d*))?\})/;

type Escape = { readonly set: Holds } | { readonly char: string };

/** Groups within groups: each one is a few calls deep, here and for whoever walks over the pieces. */
const DEPTH_MAX = 200;

/** Reads a pattern that JavaScript accepts without the flag `u`. @throws Unbounded, TooDeep */
export class Parser {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly source: string,
    private readonly flags: Flags,
  ) {}

  alternatives(): Piece {
    const of: Piece[] = [];
    do of.push(this.sequence());
    while (this.took('|'));
    return of.length === 1 && of[0] ? of[0] : { kind: 'one of', of };
  }

  private get next(): string {
    return this.source.charAt(this.at);
  }

  private took(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private matched(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.source.slice(this.at));
    this.at += found?.[0].length ?? 0;
    return found;
  }

  private sequence(): Piece {
    const of: Piece[] = [];
    while (this.at < this.source.length && this.next !== '|' && this.next !== ')') of.push(this.counted(this.piece()));
    return { kind: 'all', of };
  }

  private counted(what: Piece): Piece {
    const found = this.matched(counts);
    if (!found) return what;
    // Reluctant or not, it is the same texts that fit.
    this.took('?');
    const [sign, min, range, max] = found;
    if (sign === '*') return { kind: 'repeat', what, min: 0, max: Infinity };
    if (sign === '+') return { kind: 'repeat', what, min: 1, max: Infinity };
    if (sign === '?') return { kind: 'repeat', what, min: 0, max: 1 };
    const most = range === undefined ? Number(min) : max === '' ? Infinity : Number(max);
    return { kind: 'repeat', what, min: Number(min), max: most };
  }

  private piece(): Piece {
    const start = this.matched(groupStart);
    if (start) return this.group(start[1] ?? '');
    if (this.took('[')) return this.char(this.charClass());
    if (this.took('^')) return { kind: 'edge', edge: 'start' };
    if (this.took('$')) return { kind: 'edge', edge: 'end' };
    if (this.took('.')) return this.char(this.flags.dotAll ? () => true : (char) => !isLineEnd(char), false);
    if (this.took('\\b')) return { kind: 'edge', edge: 'word' };
    if (this.took('\\B')) return { kind: 'edge', edge: 'not word' };
    if (!this.took('\\')) return this.literal(this.source.charAt(this.at++));
    const escape = this.escape();
    return 'set' in escape ? this.char(escape.set) : this.literal(escape.char);
  }

  private group(sign: string): Piece {
    if ((this.depth += 1) > DEPTH_MAX) throw new TooDeep();
    const what = this.alternatives();
    this.depth -= 1;
    this.took(')');
    if (sign === '' || sign === ':') return what;
    return { kind: 'look', what, behind: sign.startsWith('<'), negated: sign.endsWith('!') };
  }

  private char(holds: Holds, hasCase = true): Piece {
    return { kind: 'char', holds: remembered(hasCase ? inAnyCase(holds, this.flags) : holds) };
  }

  private literal(wanted: string): Piece {
    return this.char((char) => char === wanted);
  }

  /** What follows a backslash. */
  private escape(): Escape {
    const [, hex2, hex4, control] = this.matched(/^(?:x([\da-f]{2})|u([\da-f]{4})|c([a-z]))/i) ?? [];
    const code = hex2 ?? hex4;
    if (code !== undefined) return { char: String.fromCharCode(parseInt(code, 16)) };
    if (control !== undefined) return { char: String.fromCharCode(control.charCodeAt(0) % 32) };
    const letter = this.source.charAt(this.at++);
    const set = named[letter];
    if (set) return { set };
    if (letter === '0' && !/\d/.test(this.next)) return { char: '\0' };
    // A number may be a character's, which nobody writes any more; `\k` is a name's, `\c` without a letter a curiosity.
    if (/[\dkc]/.test(letter)) throw new Unbounded();
    return { char: controls[letter] ?? letter };
  }

  /** After its opening bracket. */
  private charClass(): Holds {
    const negated = this.took('^');
    const parts: Holds[] = [];
    while (this.next !== ']') {
      const from = this.member();
      // A hyphen at the end, or beside a set, is itself.
      if ('set' in from || this.next !== '-' || this.source.charAt(this.at + 1) === ']') {
        parts.push('set' in from ? from.set : (char) => char === from.char);
        continue;
      }
      this.at += 1;
      const to = this.member();
      if ('set' in to) parts.push((char) => char === from.char || char === '-', to.set);
      else parts.push((char) => char >= from.char && char <= to.char);
    }
    this.at += 1;
    const holds = inAnyCase((char) => parts.some((part) => part(char)), this.flags);
    return negated ? (char) => !holds(char) : holds;
  }

  private member(): Escape {
    return this.took('\\') ? this.escape() : { char: this.source.charAt(this.at++) };
  }
}
