import { titlesIn } from '../titles';

/** Which tests say that they show which row: a title that ends with `[1.7]`, `[1.7, 2.2]` or `[1.7] [2.2]`. */
export interface Tagged {
  readonly rows: readonly string[];
  /** The title without its tag; of a template what stands behind its last value. */
  readonly title: string;
}

const TAGS = /(?:\s*\[\d\.\d{1,2}(?:, ?\d\.\d{1,2})*\])+$/;
const ROW = /\d\.\d{1,2}/g;
/** Whether a look into the file can find anything. */
export const MENTIONS_A_TAG = /\[\d\.\d{1,2}[\],]/;

export const tagsIn = (text: string): readonly Tagged[] =>
  titlesIn(text).flatMap(({ tail }) => {
    const tags = TAGS.exec(tail)?.[0];
    return tags === undefined ? [] : [{ rows: tags.match(ROW) ?? [], title: tail.replace(TAGS, '').trim() }];
  });
