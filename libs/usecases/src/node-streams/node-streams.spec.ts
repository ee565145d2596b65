import { emptyStream } from '@lib/domain';
import type { RecordedEvent } from '@lib/ports';
import { foldRecorded } from './node-streams';

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
