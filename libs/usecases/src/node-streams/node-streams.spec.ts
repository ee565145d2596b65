import { emptyStream } from '@lib/domain';
import type { RecordedEvent } from '@lib/ports';
import { NodeStreams, foldRecorded } from './node-streams';

const recorded = (version: number, type: string, data: object): RecordedEvent => ({
  position: version,
  stream: 'node/u',
  version,
  type,
  schema: 1,
  data: JSON.stringify(data),
  meta: '{}',
  recordedAt: 0,
  prevHash: '',
  hash: '',
});

const enrolled = recorded(2, 'NodeEnrolled', { at: 1, uuid: 'u', fields: {}, state: 'enroll', keyId: null });

describe('events of another release', () => {
  it('are carried before, during and after a life of the node; only the version and their numbers count', () => {
    const folded = foldRecorded({ version: 0, stream: emptyStream }, [
      recorded(1, 'NodeForeseen', { at: 0 }),
      enrolled,
      recorded(3, 'NodePainted', { at: 2, effect: { n: 7 }, colour: 'blue' }),
      recorded(4, 'NodeRemoved', { at: 3 }),
      recorded(5, 'NodeRemembered', { at: 4 }),
    ]);
    expect(folded).toMatchObject({ version: 5, stream: { node: null, counters: { effect: 7 } } });
  });
});

describe('a stream that nobody else appends to', () => {
  const renamed = recorded(3, 'NodePainted', { at: 2 });
  const streamsOver = (events: RecordedEvent[], soleWriter: boolean) => {
    let reads = 0;
    const readStream = (_: string, after: number) => {
      reads += 1;
      return Promise.resolve(events.filter(({ version }) => version > after));
    };
    return { streams: new NodeStreams({ readStream }, 10, soleWriter), reads: () => reads };
  };

  it('is read once, and again as long as it is in doubt', async () => {
    const events = [enrolled];
    const { streams, reads } = streamsOver(events, true);
    expect((await streams.load('u', false)).version).toBe(2);
    expect((await streams.load('u', false)).version).toBe(2);
    expect(reads()).toBe(1);
    streams.doubt('u');
    expect((await streams.load('u', false)).version).toBe(2);
    events.push(renamed);
    expect((await streams.load('u', true)).version).toBe(2);
    const loaded = await streams.load('u', false);
    expect(loaded.version).toBe(3);
    streams.remember('u', loaded);
    expect((await streams.load('u', false)).version).toBe(3);
    expect(reads()).toBe(3);
  });

  it('is read every time where others append as well', async () => {
    const events = [enrolled];
    const { streams } = streamsOver(events, false);
    await streams.load('u', false);
    events.push(renamed);
    expect((await streams.load('u', false)).version).toBe(3);
  });
});
