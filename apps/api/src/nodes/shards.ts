/** contract: other-resources.md §14 */
import { ok, type Answer, type Call } from '../http';
import type { Document } from '../render';

const NODES_PER_READ = 500;

export async function listShards(call: Call): Promise<Answer> {
  const counts = new Map<string, number>();
  for await (const shard of shardsOfNodes(call)) {
    // Nodes without a shard are counted under this name.
    const name = shard ?? 'None';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return ok({ shards: [...counts].sort().map(([name, count]) => ({ name, count })) });
}

async function* shardsOfNodes(call: Call): AsyncGenerator<string | null> {
  for (let after: string | undefined; ;) {
    const stored =
      (await call.services.readModel.list({
        kind: 'node',
        where: [],
        sort: { column: 'seq', descending: false },
        limit: NODES_PER_READ,
        ...(after === undefined ? {} : { after }),
      })) ?? [];
    for (const one of stored) yield ((JSON.parse(one.json) as Document)['shard'] ?? null) as string | null;
    after = stored.at(-1)?.id;
    if (stored.length < NODES_PER_READ) return;
  }
}
