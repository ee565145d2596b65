import type { SecretBox } from '@lib/ports';
import type { Committed } from '../node-commits';
import { mayBeStored } from './may-be-stored';

/** The key of a node's first secret: destroyed again unless what was stored uses it. */
export class FreshKey {
  /** Its id, once one was made. */
  made: string | null = null;

  constructor(private readonly box: SecretBox) {}

  async around(commit: () => Promise<Committed>): Promise<Committed> {
    let isUsed = false;
    try {
      const committed = await commit();
      isUsed = committed.after.node?.keyId === this.made;
      return committed;
    } catch (error) {
      isUsed = mayBeStored(error);
      throw error;
    } finally {
      // Nothing was stored, or another command brought the node's first secret meanwhile.
      if (this.made !== null && !isUsed) await this.box.destroyKey(this.made);
    }
  }
}
