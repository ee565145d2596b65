import { unmanaged } from '@lib/domain';
import type { Node } from '@lib/domain';
import { nodeDocument } from './document';

const node = (lastError: string | null, reason: string | null): Node =>
  ({
    lastError,
    fields: { maintenance_reason: reason },
    managed: unmanaged,
    driverInternalInfo: {},
    agentTokenDigest: null,
    provisionUpdatedAt: null,
    inspectionStartedAt: null,
    inspectionFinishedAt: null,
    createdAt: 0,
    updatedAt: null,
  }) as unknown as Node;

describe('what machines and people say of a node', () => {
  it.each([
    ['💥'.repeat(5), '💥'.repeat(4)],
    ['a\0b', 'a\ufffdb'],
    ['ha \ud83d', 'ha \ufffd'],
    ['four', 'four'],
    [null, null],
  ])('%j is kept in at most four characters, all of them whole: %j', (said, kept) => {
    const shown = nodeDocument(node(said, said), 4);
    expect(shown).toMatchObject({ last_error: kept, maintenance_reason: kept });
  });
});
