import type { Change, StreamId } from '@lib/ports';

/** What an append finally says about one value of a unique index: who lets go of it and who wants it. */
export interface KeyWord {
  readonly index: string;
  readonly value: string;
  readonly releasedBy: ReadonlySet<StreamId>;
  /** In the order of their claims; more than one can never win. */
  readonly claimedBy: readonly StreamId[];
}

/** For one owner and value the last word counts, so that a rename there and back in one append leaves what it should. */
export function lastWords(changes: readonly Change[]): KeyWord[] {
  const words = new Map<string, { index: string; value: string; owners: Map<StreamId, 'claim' | 'release'> }>();
  for (const change of changes) {
    if (change.change !== 'claim' && change.change !== 'release') continue;
    const key = JSON.stringify([change.index, change.value]);
    const word = words.get(key) ?? { index: change.index, value: change.value, owners: new Map() };
    word.owners.delete(change.owner);
    word.owners.set(change.owner, change.change);
    words.set(key, word);
  }
  return [...words.values()].map(({ index, value, owners }) => ({
    index,
    value,
    releasedBy: new Set([...owners].filter(([, said]) => said === 'release').map(([owner]) => owner)),
    claimedBy: [...owners].filter(([, said]) => said === 'claim').map(([owner]) => owner),
  }));
}
