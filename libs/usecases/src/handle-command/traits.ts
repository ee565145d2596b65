import type { Command } from '@lib/contracts';
import { Refusal, decide, traitsAfter } from '@lib/domain';
import { sameJson } from '@lib/domain/json';
import type { EventMeta } from '@lib/ports';
import type { Plan } from '../node-commits';
import { loadResource, resourceWrite } from '../plain-resources';
import type { HandlerDeps } from './deps';

type ChangeTraits = Extract<Command, { type: 'ChangeTraits' }>;

/** The traits of a node are its own; those of a runbook are a field of its document. */
export async function changeTraits(command: ChangeTraits, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { commits, clock, options } = deps;
  const { of, uuid, change } = command;
  await commits.commit(uuid, meta, ({ stream }) => {
    if (of === 'runbook') return runbookPlan(command, deps);
    const context = { now: clock.now(), host: options.host, policy: options.policy };
    return { events: decide({ type: 'ChangeTraits', change }, stream, context) };
  });
}

/** Read and written under the version that was read, so that no change of another client is lost. */
async function runbookPlan({ uuid, change }: ChangeTraits, { reader, clock }: HandlerDeps): Promise<Plan> {
  const loaded = await loadResource('runbook', uuid, reader);
  if (!loaded.resource) throw new Refusal('RESOURCE_NOT_FOUND', `The runbook ${uuid} could not be found.`);
  const { document } = loaded.resource;
  const before = (document['traits'] ?? []) as readonly string[];
  const traits = traitsAfter(before, change);
  if (sameJson(traits, before)) return { events: [] };
  const changed = { type: 'Change', document: { ...document, traits } } as const;
  const { write, changes } = resourceWrite('runbook', uuid, loaded, changed, clock.now());
  return { events: [], writes: [write], changes };
}
