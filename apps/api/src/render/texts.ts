/**
 * Stored documents as answers, cut out of their texts: what the version shows is a choice of slices, and only links, secrets
 * and what depends on the request are put in between.
 */
import { storedLayout, StoredSlices, type Field, type StoredLayout } from '@lib/contracts';
import { maskSecrets } from '@lib/domain';
import type { StoredDocument } from '@lib/ports';
import type { Selection } from '../lists';

/** Makes the value of a field; `read` gives stored values of the same document. */
export type PutIn = (read: (name: string) => unknown) => unknown;

export interface TextRendering {
  /** All fields of the resource. */
  readonly fields: readonly Field[];
  readonly selection: Selection;
  /** Links and the like: the same for all but for the id in them. */
  readonly computed: (id: string) => Readonly<Record<string, unknown>>;
  /** Fields whose value depends on the request. */
  readonly put?: Readonly<Record<string, PutIn>>;
}

/** A part of an answer: one member or several. */
type Piece = (slices: StoredSlices, id: string) => string;

/** One JSON object for each document, in their order. */
export function renderTexts(stored: readonly StoredDocument[], rendering: TextRendering): string[] {
  const pieces = piecesOf(rendering);
  return stored.map(({ id, json }) => {
    const slices = StoredSlices.of(rendering.fields, json);
    return `{${pieces.map((piece) => piece(slices, id)).join(',')}}`;
  });
}

function piecesOf({ fields, selection, computed, put = {} }: TextRendering): Piece[] {
  const layout = storedLayout(fields);
  const links = computed(MARK);
  const pieces: Piece[] = [];
  let run: Run | undefined;
  for (const field of selection) {
    const place = layout.placeOf.get(field.name);
    const made = put[field.name];
    if (made === undefined && place !== undefined && !field.masked) {
      if (run?.to === place) run.to += 1;
      else pieces.push(runPiece((run = { from: place, to: place + 1 })));
      continue;
    }
    run = undefined;
    if (made !== undefined) pieces.push(putPiece(field.name, made));
    else if (place === undefined) pieces.push(linkPiece(field, links));
    else pieces.push(maskedPiece(field.name, place, layout));
  }
  return pieces;
}

/** Neighbours come in one slice; the run grows while the pieces are made. */
interface Run {
  readonly from: number;
  to: number;
}

const runPiece =
  (run: Run): Piece =>
  (slices) =>
    slices.run(run.from, run.to);

const member = (name: string, value: unknown): string => `"${name}":${JSON.stringify(value ?? null)}`;

const putPiece =
  (name: string, made: PutIn): Piece =>
  (slices) =>
    member(
      name,
      made((other) => slices.value(other)),
    );

function maskedPiece(name: string, place: number, { masked }: StoredLayout): Piece {
  const nth = masked.indexOf(place);
  return (slices) =>
    slices.hides(nth) ? member(name, maskSecrets(name, slices.value(name))) : slices.run(place, place + 1);
}

/** Stands for the id in what is computed once for all. */
const MARK = '{the id of a document}';

function linkPiece(field: Field, links: Readonly<Record<string, unknown>>): Piece {
  const parts = member(field.name, links[field.name] ?? field.empty).split(MARK);
  return (_, id) => parts.join(id);
}
