import type { JsonObject } from '@lib/domain';
import type { BmcConnection, Turn } from './connection';
import { BmcNonsense, BmcRefused } from './hardware-error';
import { membersOf } from './system';
import { isObject, pathIn } from './wire';

/** Most members of one collection that are read: beyond that a BMC tells nonsense. */
const MEMBERS_MAX = 1000;

/** Follows links of a machine's documents. */
export class Reader {
  /** Of what was left out. */
  readonly warnings: string[] = [];

  constructor(
    private readonly bmc: BmcConnection,
    private readonly turn: Turn,
  ) {}

  /** What a link leads to; null where there is no link. Some BMCs put the document in its place. */
  async behind(link: unknown): Promise<JsonObject | null> {
    if (!isObject(link)) return null;
    const isWhole = Object.keys(link).some((key) => !key.startsWith('@odata.'));
    if (isWhole) return link;
    const path = pathIn(link);
    return path === null ? null : (await this.bmc.get(path, this.turn)).document;
  }

  /** All members of the collection behind a link, its further pages included; null where there is no link. */
  async members(link: unknown): Promise<readonly JsonObject[] | null> {
    const found: JsonObject[] = [];
    let page = await this.behind(link);
    if (page === null) return null;
    for (;;) {
      for (const member of membersOf(page)) {
        const one = await this.behind(member);
        if (one !== null) found.push(one);
        if (found.length > MEMBERS_MAX) throw new BmcNonsense(`a collection has more than ${MEMBERS_MAX} members`);
      }
      const next = page['Members@odata.nextLink'];
      if (typeof next !== 'string') return found;
      page = await this.behind({ '@odata.id': next });
      if (page === null) return found;
    }
  }

  /** Of each link in a list. */
  async each(links: unknown): Promise<readonly JsonObject[]> {
    const found: JsonObject[] = [];
    for (const link of (Array.isArray(links) ? (links as unknown[]) : []).slice(0, MEMBERS_MAX)) {
      const one = await this.behind(link);
      if (one !== null) found.push(one);
    }
    return found;
  }

  /**
   * What a machine need not tell, null where that fails: a BMC that refuses a part of its own, or talks nonsense there, keeps its
   * machine from nothing. One that is out of reach, or lets us in no longer, does.
   */
  async spared<T>(what: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof BmcNonsense) && !(error instanceof BmcRefused && !error.isAccess)) throw error;
      this.warnings.push(`${what} are left out: ${error.message}`);
      return null;
    }
  }
}
