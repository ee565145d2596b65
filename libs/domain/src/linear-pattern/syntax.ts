/** A character is a UTF-16 unit, as in JavaScript's patterns without the flag `u`. */
export type Holds = (char: string) => boolean;

export type Piece =
  | { readonly kind: 'char'; readonly holds: Holds }
  | { readonly kind: 'all'; readonly of: readonly Piece[] }
  | { readonly kind: 'one of'; readonly of: readonly Piece[] }
  | { readonly kind: 'repeat'; readonly what: Piece; readonly min: number; readonly max: number }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'look'; readonly what: Piece; readonly behind: boolean; readonly negated: boolean };

export type Edge = 'start' | 'end' | 'word' | 'not word';

export interface Flags {
  readonly ignoresCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/** What a pattern asks for that has no bounded search: a reference back to what a group matched. */
export class Unbounded extends Error {}

/** Groups within groups within groups, and so on. */
export class TooDeep extends Error {}
