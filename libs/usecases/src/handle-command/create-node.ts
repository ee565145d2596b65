import type { Command } from '@lib/contracts';
import { Refusal, chooseInterfaces, decide, emptyStream, fieldDefaults, hardwareTypes } from '@lib/domain';
import type { HardwareType, NodeFields } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import { checkedFields } from './check-fields';
import type { ConductorOptions, HandlerDeps } from './deps';
import { mayBeStored } from './may-be-stored';
import { guardChassis } from './resource-relations';
import { refuseForeignSealed, sealFields } from './seal';

type CreateNode = Extract<Command, { type: 'CreateNode' }>;

/** The hardware type of a driver that this conductor serves (contract: node-api.md §3 step 8). */
export function servedType(driver: unknown, group: string, options: ConductorOptions): HardwareType {
  const type = typeof driver === 'string' ? (options.knownTypes ?? hardwareTypes).get(driver) : undefined;
  if (type && options.hardwareTypes.includes(type.name)) return type;
  const text = `No valid host was found. Reason: no conductor serves driver ${String(driver)} in conductor group "${group}".`;
  throw new Refusal('NO_VALID_HOST', text);
}

/** A new node's fields: what was sent, checked, and defaults for the rest (contract: node-api.md §3). */
export function newNodeFields(sent: Readonly<Record<string, unknown>>, options: ConductorOptions): NodeFields {
  const given = Object.fromEntries(Object.entries(checkedFields('node', sent)).filter(([, value]) => value !== null));
  const group = String(given['conductor_group'] ?? '') || options.defaultConductorGroup;
  const type = servedType(given['driver'], group, options);
  return {
    ...fieldDefaults,
    ...given,
    driver: type.name,
    conductor_group: group,
    resource_class: (given['resource_class'] as string | undefined) ?? options.defaultResourceClass,
    ...chooseInterfaces(type, given, options.interfaces),
  };
}

export async function createNode(command: CreateNode, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { options, commits, box, clock } = deps;
  const plain = newNodeFields(command.fields, options);
  refuseForeignSealed({}, plain);
  const context = { now: clock.now(), host: options.host, policy: options.policy };
  const enroll = { type: 'Enroll', uuid: command.uuid, state: command.initialState, keyId: null } as const;
  // The rules speak before a key is made for nothing.
  decide({ ...enroll, fields: plain }, emptyStream, context);
  const { fields, keyId } = await sealFields(plain, null, box);
  try {
    await commits.commit(command.uuid, meta, async ({ stream }) => ({
      events: decide({ ...enroll, fields, keyId }, stream, context),
      guards: await guardChassis(null, fields.chassis_uuid, deps),
    }));
  } catch (error) {
    if (keyId !== null && !mayBeStored(error)) await box.destroyKey(keyId);
    throw error;
  }
}
