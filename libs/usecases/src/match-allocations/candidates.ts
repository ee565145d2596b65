import { misfit } from '@lib/domain';
import type { AllocationRequest, Candidate } from '@lib/domain';
import type { Condition, ReadModel } from '@lib/ports';

const PAGE = 500;

/** What the read model can tell by itself; the rules look at all of it again. */
const asked = ({ resourceClass }: AllocationRequest): readonly Condition[] => [
  ...(resourceClass === null ? [] : [{ column: 'resource_class', is: 'equal', value: resourceClass } as const]),
  { column: 'provision_state', is: 'equal', value: 'available' },
  { column: 'instance_uuid', is: 'null' },
];

/** Nodes that fit by their stored documents, in no order of their own. */
export async function fittingNodes(
  request: AllocationRequest,
  readModel: Pick<ReadModel, 'list'>,
): Promise<readonly Candidate[]> {
  const fitting = new Map<string, Candidate>();
  let after: string | undefined;
  for (;;) {
    const sort = { column: 'seq', descending: false };
    const query = { kind: 'node', where: asked(request), sort, limit: PAGE, ...(after ? { after } : {}) };
    const page: Awaited<ReturnType<ReadModel['list']>> = await readModel.list(query);
    for (const { id, json } of page ?? []) {
      const node = JSON.parse(json) as Candidate;
      if (misfit(node, request) === null) fitting.set(id, node);
    }
    if (page !== null && page.length < PAGE) return [...fitting.values()];
    // The page's last node was removed meanwhile: once more from the beginning.
    after = page?.at(-1)?.id;
  }
}
