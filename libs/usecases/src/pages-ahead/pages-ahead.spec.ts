import { pagesAhead, type PagedRead } from '.';

const numbers = (count: number, limit: number) => {
  const asked: number[] = [];
  const paged: PagedRead<number, number> = {
    read: (after, most) => {
      asked.push(after);
      return Promise.resolve(Array.from({ length: Math.min(most, count - after) }, (_, i) => after + i + 1));
    },
    placeOf: (item) => item,
    limit,
  };
  return { asked, paged };
};

async function all(pages: AsyncIterable<readonly number[]>): Promise<(readonly number[])[]> {
  const seen: (readonly number[])[] = [];
  for await (const page of pages) seen.push(page);
  return seen;
}

describe('pages ahead', () => {
  it.each([
    ['nothing', 0, []],
    ['less than a page', 2, [[1, 2]]],
    ['a whole page', 3, [[1, 2, 3]]],
    ['pages and a rest', 7, [[1, 2, 3], [4, 5, 6], [7]]],
  ])('give %s', async (_, count, pages) => {
    expect(await all(pagesAhead(numbers(count, 3).paged, 0))).toEqual(pages);
  });

  it('begin behind a place', async () => {
    expect(await all(pagesAhead(numbers(5, 3).paged, 3))).toEqual([[4, 5]]);
  });

  it('ask for the next page before the work on one has ended, and for no more than that', async () => {
    const { asked, paged } = numbers(9, 3);
    const pages = pagesAhead(paged, 0);
    await pages.next();
    expect(asked).toEqual([0, 3]);
    await pages.return();
    expect(asked).toEqual([0, 3]);
  });

  it('fail with the read that failed, when its page is asked for', async () => {
    const { paged } = numbers(9, 3);
    const pages = pagesAhead(
      {
        ...paged,
        read: (after, limit) => (after === 3 ? Promise.reject(new Error('gone')) : paged.read(after, limit)),
      },
      0,
    );
    expect((await pages.next()).value).toEqual([1, 2, 3]);
    await expect(pages.next()).rejects.toThrow('gone');
  });

  it('leave nobody with a failure who stopped before it', async () => {
    const { paged } = numbers(9, 3);
    const failing: PagedRead<number, number> = {
      ...paged,
      read: (after, limit) => (after === 3 ? Promise.reject(new Error('gone')) : paged.read(after, limit)),
    };
    for await (const page of pagesAhead(failing, 0)) {
      expect(page).toEqual([1, 2, 3]);
      break;
    }
    await new Promise((resolve) => setImmediate(resolve));
  });
});
