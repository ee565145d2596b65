import { isLineEnd, isWord } from './characters';
import type { Program, Step } from './program';
import type { Edge, Flags } from './syntax';

/** More work than a search may be. */
export class TooMuchWork extends Error {}

/**
 * All ways through the pattern at once, character by character: the work is at most the product of both lengths, where a
 * search that goes back and tries again may take for ever. What looks around is searched once for each place.
 */
export class Search {
  private work = 0;
  private readonly looked = new Map<Program, Map<number, boolean>>();

  constructor(
    private readonly text: string,
    private readonly flags: Flags,
    private readonly workMax: number,
  ) {}

  /** Whether the program fits a part of the text. */
  anywhere(program: Program): boolean {
    return this.run(program, 0, this.text.length, 'any start', 'any end');
  }

  private run(
    program: Program,
    from: number,
    to: number,
    starts: 'any start' | 'first start',
    ends: 'any end' | 'last end',
  ): boolean {
    let places = new Set<number>();
    for (let at = from; at <= to; at += 1) {
      if (starts === 'any start' || at === from) this.enter(program, 0, at, places);
      if (places.has(program.length - 1) && (ends === 'any end' || at === to)) return true;
      if (at === to || (places.size === 0 && starts === 'first start')) return false;
      places = this.after(program, places, at);
    }
    return false;
  }

  /** Where the places lead over the character here. */
  private after(program: Program, places: ReadonlySet<number>, at: number): Set<number> {
    const next = new Set<number>();
    const char = this.text.charAt(at);
    for (const place of places) {
      const step = program[place];
      if (step?.kind === 'char' && step.holds(char)) this.enter(program, place + 1, at + 1, next);
    }
    return next;
  }

  /** Takes a place up, and all that it leads to without a character. */
  private enter(program: Program, first: number, at: number, places: Set<number>): void {
    const open = [first];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (places.has(place)) continue;
      if ((this.work += 1) > this.workMax) throw new TooMuchWork();
      places.add(place);
      const step = program[place];
      if (step) open.push(...this.onward(step, place, at));
    }
  }

  private onward(step: Step, place: number, at: number): readonly number[] {
    switch (step.kind) {
      case 'jump':
        return [step.to];
      case 'split':
        return [step.other, step.one];
      case 'edge':
        return this.isAt(step.edge, at) ? [place + 1] : [];
      case 'look':
        return this.looks(step, at) !== step.negated ? [place + 1] : [];
      default:
        return [];
    }
  }

  private looks({ program, behind }: Extract<Step, { kind: 'look' }>, at: number): boolean {
    const known = this.looked.get(program) ?? new Map<number, boolean>();
    this.looked.set(program, known);
    const before = known.get(at);
    if (before !== undefined) return before;
    const holds = behind
      ? this.run(program, 0, at, 'any start', 'last end')
      : this.run(program, at, this.text.length, 'first start', 'any end');
    known.set(at, holds);
    return holds;
  }

  private isAt(edge: Edge, at: number): boolean {
    const [before, after] = [this.text.charAt(at - 1), this.text.charAt(at)];
    switch (edge) {
      case 'start':
        return at === 0 || (this.flags.multiline && isLineEnd(before));
      case 'end':
        return at === this.text.length || (this.flags.multiline && isLineEnd(after));
      case 'word':
        return isWord(before) !== isWord(after);
      case 'not word':
        return isWord(before) === isWord(after);
    }
  }
}
