import { plainResources } from '@lib/contracts';
import type { Command, PlainKind, PlainResource } from '@lib/contracts';
import {
  Refusal,
  allocationRules,
  deployTemplateRules,
  inspectionRuleRules,
  noRules,
  portRules,
  portgroupRules,
  runbookRules,
  sealingKeys,
  volumeRules,
} from '@lib/domain';
import type { PlainContext, PlainRules, ResourceDocument } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import { patchDocument } from '../json-patch';
import { opened } from '../machine';
import type { Plan } from '../node-commits';
import type { LoadedNode } from '../node-streams';
import { loadResource, resourceWrite } from '../plain-resources';
import type { LoadedResource } from '../plain-resources';
import { checkedFields, emptyValue } from './check-fields';
import type { HandlerDeps } from './deps';
import { mayBeStored } from './may-be-stored';
import {
  assertUnheld,
  checkMembership,
  followingMembers,
  guardNewNode,
  guardNode,
  guardReferences,
} from './resource-relations';
import { refuseForeignSealed, sealFields, sealWhole } from './seal';

type CreateResource = Extract<Command, { type: 'CreateResource' }>;
type PatchResource = Extract<Command, { type: 'PatchResource' }>;
type RemoveResource = Extract<Command, { type: 'RemoveResource' }>;

const rules: Readonly<Record<PlainKind, PlainRules>> = {
  port: portRules,
  chassis: noRules,
  portgroup: portgroupRules,
  deploy_template: deployTemplateRules,
  runbook: runbookRules,
  volume_connector: volumeRules,
  volume_target: volumeRules,
  inspection_rule: inspectionRuleRules,
  allocation: allocationRules,
};

/** Where the command takes its turn: at the node that the resource belongs to, or alone. */
const mailboxOf = ({ nodeUuid, uuid }: CreateResource | PatchResource | RemoveResource): string => nodeUuid ?? uuid;

/** A missing node is a bad value in a creation, and a missing resource afterwards. */
function contextOf(
  { ofNode }: PlainResource,
  { stream }: LoadedNode,
  { nodeUuid, minor }: { readonly nodeUuid: string | null; readonly minor: number },
  missing: 'INVALID_PARAMETER' | 'NODE_NOT_FOUND',
  { options }: HandlerDeps,
): PlainContext {
  if (ofNode && !stream.node) throw new Refusal(missing, `Node ${nodeUuid} could not be found.`);
  return { node: stream.node, minor, portgroupMode: options.portgroupMode };
}

/** What the declaration leaves unset has its empty value; the server's own fields begin empty. */
export const withDefaults = ({ fields }: PlainResource, given: ResourceDocument): ResourceDocument =>
  Object.fromEntries(
    fields
      .filter(({ type, computed }) => type !== 'time' && !computed)
      .map(({ name, empty, nullable, type }) => {
        const value = given[name];
        const unset = value === undefined || (value === null && (type === 'object' || !nullable));
        return [name, unset ? empty : value];
      }),
  );

/** Runs a decision that may have to make a key, which goes again when nothing was stored. */
async function keepingKeys(deps: HandlerDeps, run: (made: (keyId: string) => void) => Promise<void>): Promise<void> {
  const made = new Set<string>();
  let stored = false;
  try {
    await run((keyId) => made.add(keyId));
    stored = true;
  } catch (error) {
    stored = mayBeStored(error);
    throw error;
  } finally {
    if (!stored) await Promise.all([...made].map((keyId) => deps.box.destroyKey(keyId)));
  }
}

/** The document with its secrets sealed, under the key that it has already or a new one. */
async function sealed(
  { secret, sensitiveBy }: PlainResource,
  document: ResourceDocument,
  before: ResourceDocument,
  made: (keyId: string) => void,
  { box }: HandlerDeps,
): Promise<ResourceDocument> {
  if (secret.length === 0) return document;
  // What may be sensitive as a whole was opened before it was patched.
  refuseForeignSealed(sensitiveBy === undefined ? before : {}, document, secret);
  const [had = null] = sealingKeys(before);
  const isSensitive = sensitiveBy !== undefined && document[sensitiveBy] === true;
  const { fields, keyId } = await (isSensitive ? sealWhole : sealFields)(document, had, box, secret);
  if (keyId !== null && keyId !== had) made(keyId);
  return fields;
}

/** A patch may lead into what is sealed as a whole, as it does into what is not. */
const openedWhole = async (
  { sensitiveBy }: PlainResource,
  document: ResourceDocument,
  { box }: HandlerDeps,
): Promise<ResourceDocument> =>
  sensitiveBy === undefined ? document : ((await opened(document, box)) as ResourceDocument);

export async function createResource(command: CreateResource, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { kind, uuid, nodeUuid } = command;
  const declared = plainResources[kind];
  const given = { ...checkedFields(kind, command.fields), uuid, ...(declared.ofNode ? { node_uuid: nodeUuid } : {}) };
  await keepingKeys(deps, async (made) => {
    await deps.commits.commit(mailboxOf(command), meta, async (loaded): Promise<Plan> => {
      const context = contextOf(declared, loaded, command, 'INVALID_PARAMETER', deps);
      const document = rules[kind].create(withDefaults(declared, given), context);
      const references = await guardReferences(declared, document, deps);
      await checkMembership(kind, given, document, deps);
      const resource = await loadResource(kind, uuid, deps.reader);
      const stored = await sealed(declared, document, {}, made, deps);
      const { write, changes } = resourceWrite(
        kind,
        uuid,
        resource,
        { type: 'Create', document: stored },
        deps.clock.now(),
      );
      return { events: [], writes: [write], changes, guards: [...guardNode(loaded), ...references] };
    });
  });
}

function existing(
  { kind, uuid, nodeUuid }: PatchResource | RemoveResource,
  { resource }: LoadedResource,
): ResourceDocument {
  const { noun, ofNode } = plainResources[kind];
  if (!resource) throw new Refusal('RESOURCE_NOT_FOUND', `The ${noun} ${uuid} could not be found.`);
  if (ofNode && resource.document['node_uuid'] !== nodeUuid)
    throw new Refusal('UNAVAILABLE', `The ${noun} ${uuid} was moved meanwhile; please try again.`);
  return resource.document;
}

export async function patchResource(command: PatchResource, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { kind, uuid, nodeUuid } = command;
  const declared = plainResources[kind];
  let unused: readonly string[] = [];
  await keepingKeys(deps, async (made) => {
    await deps.commits.commit(mailboxOf(command), meta, async (loaded): Promise<Plan> => {
      const context = contextOf(declared, loaded, command, 'NODE_NOT_FOUND', deps);
      const resource = await loadResource(kind, uuid, deps.reader);
      const before = existing(command, resource);
      const open = await openedWhole(declared, before, deps);
      const patched = patchDocument(open, command.patch, (field) => emptyValue(kind, field));
      const document = rules[kind].change(before, checkedFields(kind, patched), context);
      const references = await guardReferences(declared, document, deps);
      if (document['portgroup_uuid'] !== before['portgroup_uuid']) await checkMembership(kind, patched, document, deps);
      const moved = declared.ofNode && document['node_uuid'] !== nodeUuid && context.node !== null;
      const empties = moved ? await assertUnheld(declared, uuid, deps) : [];
      const target =
        moved && context.node ? [await guardNewNode(context.node, String(document['node_uuid']), deps)] : [];
      const following = await followingMembers(kind, before, document, deps);
      const stored = await sealed(declared, document, before, made, deps);
      const kept = sealingKeys(stored);
      unused = [...sealingKeys(before)].filter((keyId) => !kept.has(keyId));
      const change = { type: 'Change', document: stored } as const;
      const { write, changes } = resourceWrite(kind, uuid, resource, change, deps.clock.now());
      return {
        events: [],
        writes: [write, ...following.writes],
        changes: [...changes, ...following.changes],
        guards: [...guardNode(loaded), ...references, ...target],
        empties,
      };
    });
  });
  await Promise.all(unused.map((keyId) => deps.box.destroyKey(keyId)));
}

export async function removeResource(command: RemoveResource, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { kind, uuid } = command;
  const declared = plainResources[kind];
  let unused: readonly string[] = [];
  await deps.commits.commit(mailboxOf(command), meta, async (loaded): Promise<Plan> => {
    const context = contextOf(declared, loaded, { ...command, minor: 0 }, 'NODE_NOT_FOUND', deps);
    const resource = await loadResource(kind, uuid, deps.reader);
    const document = existing(command, resource);
    rules[kind].remove(document, context);
    const empties = await assertUnheld(declared, uuid, deps);
    unused = [...sealingKeys(document)];
    const { write, changes } = resourceWrite(kind, uuid, resource, { type: 'Remove' }, deps.clock.now());
    return { events: [], writes: [write], changes, guards: guardNode(loaded), empties };
  });
  await Promise.all(unused.map((keyId) => deps.box.destroyKey(keyId)));
}
