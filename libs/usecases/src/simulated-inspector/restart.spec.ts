import { dataOf, FakeApi, MAC, NODE, quiet, setUp } from '../../../../test/inspector/world';
import { BareMetalApiError } from './bare-metal-api';
import { KeptDocuments } from './kept-documents';
import { type InspectorOptions, inspectorMemoryFrom } from './room';

/** A shelf whose documents are texts, as on a disk. */
const shelfOf = (texts = new Map<string, string>()) => ({
  texts,
  full: false,
  async save(changes: ReadonlyMap<string, unknown>): Promise<void> {
    await Promise.resolve();
    if (this.full) throw new Error('disk full');
    for (const [name, document] of changes) {
      if (document === null) texts.delete(name);
      else texts.set(name, JSON.stringify(document));
    }
  },
});

type World = ReturnType<typeof setUp> & { readonly shelf: ReturnType<typeof shelfOf> };

const born = (shelf: World['shelf'], options: Partial<InspectorOptions>, from?: World): World => {
  const documents = new Map([...shelf.texts].map(([name, text]) => [name, JSON.parse(text) as unknown]));
  const given = from ? { clock: from.clock, api: from.api } : { api: new FakeApi() };
  return { ...setUp(options, { ...given, memory: inspectorMemoryFrom(documents, shelf) }), shelf };
};
const first = (options: Partial<InspectorOptions> = {}): World => born(shelfOf(), options);

/** The process is gone without a word: only what is on the shelf at this moment is known to the next one. */
const killed = (world: World, options: Partial<InspectorOptions> = {}): World => {
  const left = shelfOf(new Map(world.shelf.texts));
  // Nothing of the dead process may run on by the common clock.
  void world.inspector.stop();
  return born(left, options, world);
};

describe('an inspector that keeps what it knows, killed and started again', () => {
  it('waits for the ramdisk of a machine that it had booted, and takes its data', async () => {
    const before = first();
    await before.start();
    const { inspector, settle, status, api } = killed(before);
    expect(await status()).toMatchObject({ state: 'waiting', started_at: '1970-01-01T00:00:00', finished: false });
    expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(200);
    await settle();
    expect(await status()).toMatchObject({ state: 'finished', error: null });
    expect(api.calls.at(-1)).toBe('power power off');
  });

  it('has the data of both kinds, its rules, and can apply the data again', async () => {
    const before = first();
    await before.start();
    await before.inspector.createRule({ scope: 'x', actions: [{ action: 'fail', message: 'no' }] }, 201);
    await before.inspector.continue('rest', dataOf(MAC));
    await before.settle();
    const { inspector, settle, status } = killed(before);
    for (const kind of ['processed', 'unprocessed'] as const) {
      expect(await inspector.data('rest', NODE, kind)).toEqual(await before.inspector.data('rest', NODE, kind));
    }
    expect(inspector.rules()).toEqual(before.inspector.rules());
    expect((await inspector.reapply('rest', NODE, undefined)).status).toBe(202);
    await settle();
    expect(await status()).toMatchObject({ state: 'finished' });
  });

  it('has kept what it answered before it answered', async () => {
    const before = first();
    expect((await before.inspector.start('rest', NODE, { manageBoot: false })).status).toBe(202);
    expect((await before.inspector.continue('rest', dataOf(MAC))).status).toBe(200);
    const { inspector } = killed(before);
    expect((await inspector.data('rest', NODE, 'unprocessed')).status).toBe(200);
  });

  it('lets a ramdisk post when its time has come, also when that was while nobody ran', async () => {
    const before = first();
    before.api.extra = { simulator: { script: 'succeed', after: 10 } };
    await before.start();
    await before.clock.advanceBy(4000);
    const second = killed(before);
    await second.clock.advanceBy(5999);
    expect(second.ramdiskLog()).toEqual([]);
    const third = killed(second);
    await third.clock.advanceBy(1);
    expect(third.ramdiskLog().map((entry) => entry.status)).toEqual([200]);
    expect(await third.status()).toMatchObject({ state: 'finished' });
    const fourth = killed(third);
    await fourth.clock.advanceBy(60_000);
    expect(fourth.ramdiskLog()).toEqual([]);
  });

  it('goes on with a script that waits, and counts on what it has refused', async () => {
    const before = first();
    before.api.extra = { simulator: { script: 'late', after: 0, start: { answer: 503, times: 2 } } };
    expect(await before.start()).toBe(503);
    const { clock, start, ramdiskLog, api, ...second } = killed(before);
    expect([await start(), await start()]).toEqual([503, 202]);
    await clock.advanceBy(5000);
    const third = killed({ clock, start, ramdiskLog, api, ...second });
    api.provisionState = 'inspect failed';
    await clock.advanceBy(1000);
    expect(third.ramdiskLog().map((entry) => entry.status)).toEqual([200]);
  });

  it('posts again after the pause that the ramdisk had begun', async () => {
    const before = first();
    before.api.extra = { simulator: { script: 'succeed', after: 1 } };
    await before.start();
    before.api.faults.set(
      'patch',
      Array.from({ length: 5 }, () => new BareMetalApiError(503, 'busy')),
    );
    await before.clock.advanceBy(5000);
    expect(before.ramdiskLog().map((entry) => entry.status)).toEqual([500]);
    const after = killed(before);
    await after.clock.advanceBy(4999);
    expect(after.ramdiskLog()).toEqual([]);
    await after.clock.advanceBy(1);
    expect(after.ramdiskLog()).toHaveLength(1);
  });

  it('answers the same attempt of a conductor without a second boot', async () => {
    const before = first();
    await before.inspector.start('bus', NODE, { manageBoot: true, attempt: 7 });
    await before.settle();
    const { inspector, settle, api } = killed(before);
    await inspector.start('bus', NODE, { manageBoot: true, attempt: 7 });
    await settle();
    expect(api.calls.filter((call) => call === 'power rebooting')).toHaveLength(1);
  });

  it.each([
    ['aborting', (world: World) => world.inspector.abort('rest', NODE)],
    ['starting', (world: World) => world.inspector.start('rest', NODE, { manageBoot: true })],
  ])('a run that was %s stays so until the clean-up ends it', async (state, act) => {
    const before = first();
    await before.start();
    before.api.faults.set(
      'power',
      Array.from({ length: 5 }, () => new BareMetalApiError(409, 'locked')),
    );
    await act(before);
    await before.settle();
    const { clock, inspector, status } = killed(before);
    expect(await status()).toMatchObject({ state, finished: false, finished_at: null });
    expect((await inspector.start('rest', NODE, { manageBoot: true })).status).toBe(400);
    await clock.advanceBy(3_500_000);
    expect(await status()).toMatchObject({ state, finished: false });
    await clock.advanceBy(200_000);
    expect(await status()).toMatchObject({ state: 'error', finished: true, error: 'Introspection timeout' });
  });

  it('a run whose data was being worked on ends in error when data comes once more', async () => {
    const before = first();
    await before.start();
    before.api.faults.set(
      'power',
      Array.from({ length: 5 }, () => new BareMetalApiError(409, 'locked')),
    );
    expect((await before.inspector.continue('rest', dataOf(MAC))).status).toBe(200);
    await before.settle();
    const { inspector, status } = killed(before);
    expect(await status()).toMatchObject({ state: 'processing' });
    expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(400);
    expect(await status()).toMatchObject({ state: 'error', error: expect.stringContaining('process') });
  });

  it('forgets on the shelf as well: removed nodes, and rows that a script loses', async () => {
    const before = first();
    await before.start();
    before.api.gone = true;
    await before.clock.advanceBy(60_000);
    expect((await killed(before).inspector.status('rest', NODE)).status).toBe(404);
    expect([...before.shelf.texts.keys()]).toEqual([]);
    const other = first();
    other.api.extra = { simulator: { script: 'cache-lost', after: 1 } };
    await other.start();
    await other.clock.advanceBy(1000);
    expect((await killed(other).inspector.status('rest', NODE)).status).toBe(404);
  });

  it('says 500 while nothing can be kept, and keeps it with the next change', async () => {
    const before = first();
    before.shelf.full = true;
    const start = async () => (await before.inspector.start('rest', NODE, { manageBoot: false })).status;
    expect(await start()).toBe(500);
    expect(before.shelf.texts.size).toBe(0);
    before.shelf.full = false;
    expect(await start()).toBe(202);
    expect(before.shelf.texts.size).toBe(1);
  });
});

describe('documents to be kept', () => {
  it('go together where they change together, each as it is by then', async () => {
    const saves: [string, unknown][][] = [];
    const shelf = { save: async (changes: ReadonlyMap<string, unknown>) => void saves.push([...changes]) };
    const kept = new KeptDocuments(shelf, quiet);
    let value = 1;
    kept.touch('a', () => value);
    value = 2;
    kept.touch('a', () => value);
    kept.touch('b', () => null);
    await kept.settled();
    expect(saves).toEqual([
      [
        ['a', 2],
        ['b', null],
      ],
    ]);
  });
});
