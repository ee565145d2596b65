import type { Edge, Holds, Piece } from './syntax';

/** One step of a search; numbers are places of other steps. */
export type Step =
  | { readonly kind: 'char'; readonly holds: Holds }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'look'; readonly program: Program; readonly behind: boolean; readonly negated: boolean }
  | { readonly kind: 'split'; one: number; other: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'fits' };

export type Program = readonly Step[];

const STEPS_MAX = 20_000;

/** A pattern that counts itself up to more steps than this. */
export class TooLarge extends Error {}

function add(program: Step[], piece: Piece): void {
  if (program.length > STEPS_MAX) throw new TooLarge();
  switch (piece.kind) {
    case 'char':
    case 'edge':
      program.push(piece);
      return;
    case 'all':
      for (const one of piece.of) add(program, one);
      return;
    case 'look':
      program.push({ kind: 'look', program: programOf(piece.what), behind: piece.behind, negated: piece.negated });
      return;
    case 'one of':
      addChoice(program, piece.of);
      return;
    case 'repeat':
      addRepeat(program, piece);
  }
}

/** In a loop: a list of alternatives may be longer than calls can be deep. */
function addChoice(program: Step[], of: readonly Piece[]): void {
  const jumps = [];
  for (const [index, one] of of.entries()) {
    if (index === of.length - 1) {
      add(program, one);
      break;
    }
    const split = { kind: 'split' as const, one: program.length + 1, other: 0 };
    program.push(split);
    add(program, one);
    const jump = { kind: 'jump' as const, to: 0 };
    program.push(jump);
    jumps.push(jump);
    split.other = program.length;
  }
  for (const jump of jumps) jump.to = program.length;
}

function addRepeat(program: Step[], { what, min, max }: Extract<Piece, { kind: 'repeat' }>): void {
  for (let n = 0; n < min; n += 1) {
    const before = program.length;
    add(program, what);
    // Nothing, however often: no count of it may be the work of counting.
    if (program.length === before) break;
  }
  if (max === Infinity) {
    const start = program.length;
    const split = { kind: 'split' as const, one: start + 1, other: 0 };
    program.push(split);
    add(program, what);
    program.push({ kind: 'jump', to: start });
    split.other = program.length;
    return;
  }
  const splits = [];
  for (let n = min; n < max; n += 1) {
    const split = { kind: 'split' as const, one: program.length + 1, other: 0 };
    program.push(split);
    splits.push(split);
    add(program, what);
  }
  for (const split of splits) split.other = program.length;
}

/** @throws TooLarge */
export function programOf(piece: Piece): Program {
  const program: Step[] = [];
  add(program, piece);
  program.push({ kind: 'fits' });
  if (program.length > STEPS_MAX) throw new TooLarge();
  return program;
}
