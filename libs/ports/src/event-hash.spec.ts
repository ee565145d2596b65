import { FIRST_PREV_HASH, eventHash } from './event-hash';

const stream = 'node/1be26c0b-03f2-4d2e-ae87-c02d7f33c123';
const first = { stream, version: 1, type: 'NodeEnrolled', schema: 1, data: '{"name":"ä"}', meta: '{"commandId":"c1"}' };
const second = { stream, version: 2, type: 'NodeRemoved', schema: 3, data: 'null', meta: '{}' };

describe('the hash of an event', () => {
  it('is what an independent implementation of the framing gives: old logs depend on it', () => {
    const hash = eventHash(FIRST_PREV_HASH, first);
    expect(hash).toBe('d7393c7d15748efbdbaa47d785c7c8f2d904f125628e96ace35ac662c3febcd9');
    expect(eventHash(hash, second)).toBe('96fe9798c7ea050f603bac7979d34683060b923f98860d5b8dc1ebbba9636eae');
  });

  it('changes with every field, and with where one ends and the next begins', () => {
    const hashes = [
      eventHash(FIRST_PREV_HASH, first),
      eventHash('1'.repeat(64), first),
      ...Object.entries(first).map(([name, value]) => eventHash(FIRST_PREV_HASH, { ...first, [name]: `${value}x` })),
      eventHash(FIRST_PREV_HASH, { ...first, data: '{"name":"ä"}{', meta: '"commandId":"c1"}' }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
