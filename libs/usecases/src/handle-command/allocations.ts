import { plainResources } from '@lib/contracts';
import type { Command } from '@lib/contracts';
import { Refusal, allocationRules, decide, requestOf } from '@lib/domain';
import type { Context, ResourceDocument } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { Plan } from '../node-commits';
import { loadResource, resourceWrite } from '../plain-resources';
import { checkedFields } from './check-fields';
import type { HandlerDeps } from './deps';
import { withDefaults } from './resources';

type CreateResource = Extract<Command, { type: 'CreateResource' }>;
type RemoveResource = Extract<Command, { type: 'RemoveResource' }>;

const contextOf = ({ clock, options }: HandlerDeps): Context => ({
  now: clock.now(),
  host: options.host,
  policy: options.policy,
});

/**
 * An allocation for a node that is in use already (contract: other-resources.md §10, backfill): made and matched in one
 * append. Refuses, and stores nothing, where the node is not what it asks for.
 */
export async function backfillAllocation(
  command: CreateResource & { readonly nodeUuid: string },
  meta: EventMeta,
  deps: HandlerDeps,
): Promise<void> {
  const { uuid, nodeUuid, minor } = command;
  const given = { ...checkedFields('allocation', command.fields), uuid };
  await deps.commits.commit(nodeUuid, meta, async ({ stream }): Promise<Plan> => {
    const { node } = stream;
    if (!node) throw new Refusal('INVALID_PARAMETER', `Node ${nodeUuid} could not be found.`);
    const asked: ResourceDocument = withDefaults(plainResources.allocation, given);
    const context = { node, minor, portgroupMode: deps.options.portgroupMode };
    const document = allocationRules.create(asked, context);
    const loaded = await loadResource('allocation', uuid, deps.reader);
    const made = {
      ...document,
      resource_class: document['resource_class'] ?? node.fields.resource_class,
      state: 'active',
      node_uuid: nodeUuid,
    };
    const { write, changes } = resourceWrite(
      'allocation',
      uuid,
      loaded,
      { type: 'Create', document: made },
      deps.clock.now(),
    );
    const allocate = { type: 'Allocate', request: requestOf(document), inUse: true } as const;
    return { events: decide(allocate, stream, contextOf(deps)), writes: [write], changes };
  });
}

/** An allocation that has a node ends as the instance of that node; another one just ends. */
export async function removeAllocation({ uuid }: RemoveResource, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { commits, reader, clock } = deps;
  for (;;) {
    const node = await nodeOf(uuid, deps);
    let moved = false;
    await commits.commit(node ?? uuid, meta, async ({ stream }): Promise<Plan> => {
      const loaded = await loadResource('allocation', uuid, reader);
      moved = (loaded.resource?.document['node_uuid'] ?? null) !== node;
      if (moved) return { events: [] };
      const events = decidedOf(uuid, stream, deps);
      if (events.length > 0) return { events };
      const { write, changes } = resourceWrite('allocation', uuid, loaded, { type: 'Remove' }, clock.now());
      return { events: [], writes: [write], changes };
    });
    if (!moved) return;
  }
}

/** Nothing where the node is gone, or belongs to another allocation. */
function decidedOf(uuid: string, stream: Parameters<typeof decide>[1], deps: HandlerDeps): ReturnType<typeof decide> {
  if (stream.node?.allocation?.uuid !== uuid) return [];
  return decide({ type: 'ReleaseAllocation' }, stream, contextOf(deps));
}

async function nodeOf(uuid: string, { reader }: HandlerDeps): Promise<string | null> {
  const { resource } = await loadResource('allocation', uuid, reader);
  if (!resource) throw new Refusal('RESOURCE_NOT_FOUND', `The allocation ${uuid} could not be found.`);
  return (resource.document['node_uuid'] ?? null) as string | null;
}
