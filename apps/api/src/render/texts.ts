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
  /** Links and the like: the same for all but for the id in them, and with the same public URL always the same. */
  readonly computed: (id: string) => Readonly<Record<string, unknown>>;
  readonly publicUrl: string;
  /** Fields whose value depends on the request. */
  readonly put?: Puts;
}

/** A part of an answer: one member or several. */
type Piece = (slices: StoredSlices, id: string, put: Puts) => string;
type Puts = Readonly<Record<string, PutIn>>;

/** One JSON object for each document, in their order. */
export function renderTexts(stored: readonly StoredDocument[], rendering: TextRendering): string[] {
  const { put = {} } = rendering;
  const pieces = knownPieces(rendering, put);
  return stored.map(({ id, json }) => {
    const slices = StoredSlices.of(rendering.fields, json);
    return `{${pieces.map((piece) => piece(slices, id, put)).join(',')}}`;
  });
}

/** What a client uses seldom changes from one request to the next: its versions, and the name it knows us by. */
const known = new WeakMap<Selection, Map<string, Piece[]>>();
const KNOWN_MAX = 16;

function knownPieces(rendering: TextRendering, put: Puts): Piece[] {
  const { selection, publicUrl } = rendering;
  const forms = known.get(selection) ?? new Map<string, Piece[]>();
  known.set(selection, forms);
  const form = `${Object.keys(put).join()} ${publicUrl}`;
  const pieces = forms.get(form) ?? piecesOf(rendering, put);
  // Whoever sends ever new names gains nothing by it, and costs no memory.
  if (forms.size >= KNOWN_MAX && !forms.has(form)) forms.clear();
  forms.set(form, pieces);
  return pieces;
}

function piecesOf({ fields, selection, computed }: TextRendering, put: Puts): Piece[] {
  const layout = storedLayout(fields);
  const links = computed(MARK);
  const pieces: Piece[] = [];
  let run: Run | undefined;
  for (const field of selection) {
    const place = layout.placeOf.get(field.name);
    const isPut = put[field.name] !== undefined;
    if (!isPut && place !== undefined && !field.masked) {
      if (run?.to === place) run.to += 1;
      else pieces.push(runPiece((run = { from: place, to: place + 1 })));
      continue;
    }
    run = undefined;
    if (isPut) pieces.push(putPiece(field.name));
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
  (name: string): Piece =>
  (slices, _, put) =>
    member(
      name,
      put[name]?.((other) => slices.value(other)),
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
