import type { Placed } from '../conductors/board';

/** A rendered text, and all that it was made of beside its key. */
export interface KeptText {
  /** The stored document. */
  readonly json: string;
  readonly placed: Placed;
  readonly host: string | null;
  readonly text: string;
}

/** Characters of documents and texts together, in each of two generations. */
const CHARS_MAX = 16 * 1024 * 1024;

/** Texts by key, the last ones used. The generation before the last is forgotten as a whole. */
export class KeptTexts {
  private young = new Map<string, KeptText>();
  private old = new Map<string, KeptText>();
  private chars = 0;

  constructor(private readonly charsMax = CHARS_MAX) {}

  find(key: string): KeptText | undefined {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old !== undefined) this.keep(key, old);
    return old;
  }

  keep(key: string, kept: KeptText): void {
    const chars = key.length + kept.json.length + kept.text.length;
    if (this.chars + chars > this.charsMax) {
      this.old = this.young;
      this.young = new Map();
      this.chars = 0;
    }
    this.young.set(key, kept);
    this.chars += chars;
  }
}
