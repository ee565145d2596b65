import type { MemoryStore } from '@lib/adapters/event-log-memory';
import { isHeld } from '@lib/domain';
import type { Node } from '@lib/domain';
import { nodeStreamId } from '@lib/usecases';

const byNumber = (a: { readonly n: number }, b: { readonly n: number }): number => a.n - b.n;

/** The deadlines of a node as they are read, by number. */
export const deadlineRows = (uuid: string, { deadlines }: MemoryStore) =>
  [...deadlines.values()]
    .filter(({ stream }) => stream === nodeStreamId(uuid))
    .map(({ n, attempt, due, status }) => ({ n, attempt, due, status }))
    .sort(byNumber);

/** Where the rows of a node are not what the fold of its log says. */
export function wrongRows(uuid: string, node: Node | null, store: MemoryStore): readonly string[] {
  const wrong: string[] = [];
  const same = (what: string, stored: unknown, folded: unknown): void => {
    const [one, other] = [JSON.stringify(stored), JSON.stringify(folded)];
    if (one !== other) wrong.push(`${what}: the read model has ${one}, the fold ${other}`);
  };
  const [document] = store.documents.get('node', [uuid]);
  const shown = document ? (JSON.parse(document.json) as Record<string, unknown>) : null;
  same('its existence', shown !== null, node !== null);
  if (node?.keyId && !store.keys.has(node.keyId)) wrong.push('the key of its secrets is gone');
  if (shown && node) {
    const { provisionState, reservation, lastError, fields } = node;
    same('provision_state', shown['provision_state'], provisionState);
    same('reservation', shown['reservation'], reservation?.host ?? null);
    same('last_error', shown['last_error'], lastError);
    same('maintenance', shown['maintenance'], fields.maintenance);
  }
  same('deadlines', deadlineRows(uuid, store), node ? folded(node) : []);
  same('effects', openEffects(uuid, store), (node?.effects ?? []).map(({ n }) => n).sort(ascending));
  return wrong;
}

const ascending = (a: number, b: number): number => a - b;

const folded = (node: Node) =>
  node.deadlines
    .map((one) => ({ n: one.n, attempt: one.attempt, due: one.due, status: isHeld(node, one) ? 'held' : 'open' }))
    .sort(byNumber);

const openEffects = (uuid: string, { effects }: MemoryStore): readonly number[] =>
  [...effects.claims.keys()]
    .map((key) => JSON.parse(key) as [string, number])
    .flatMap(([stream, n]) => (stream === nodeStreamId(uuid) ? [n] : []))
    .sort(ascending);
