/** One page of a log, in the log's order. */
export interface PagedRead<Item, Place> {
  /** At most `limit` items behind a place; fewer only where they end. */
  readonly read: (after: Place, limit: number) => Promise<readonly Item[]>;
  readonly placeOf: (item: Item) => Place;
  readonly limit: number;
}

/**
 * The pages behind a place, none of them empty. While one is worked on the next is read: the database and the rules take
 * their time at once. Two pages are held at most.
 */
export async function* pagesAhead<Item, Place>(
  { read, placeOf, limit }: PagedRead<Item, Place>,
  after: Place,
): AsyncGenerator<readonly Item[], void, undefined> {
  let coming = read(after, limit);
  for (;;) {
    const page = await coming;
    const last = page.at(-1);
    if (last === undefined) return;
    const isLast = page.length < limit;
    if (!isLast) {
      coming = read(placeOf(last), limit);
      // It is waited for in the next round; whoever stops before never hears of its failure.
      coming.catch(() => undefined);
    }
    yield page;
    if (isLast) return;
  }
}
