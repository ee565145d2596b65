import type { Command, PatchOperation } from '@lib/contracts';
import { Refusal, chooseInterfaces, decide, interfaceField, interfaceTypes } from '@lib/domain';
import type { HardwareType, InterfaceField, Node, NodeFields } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import { patchDocument } from '../json-patch';
import { checkedFields, emptyValue } from './check-fields';
import { servedType } from './create-node';
import type { ConductorOptions, HandlerDeps } from './deps';
import { FreshKey } from './fresh-key';
import { guardChassis } from './resource-relations';
import { refuseForeignSealed, sealFields } from './seal';

type PatchNode = Extract<Command, { type: 'PatchNode' }>;

const kindOf = (field: string) => interfaceTypes.find((kind) => interfaceField(kind) === field);

const firstSegment = (operation: PatchOperation): string => operation.path.split('/')[1] ?? '';

/** Interfaces that the patch names. */
const namedInterfaces = (patch: readonly PatchOperation[]): InterfaceField[] =>
  interfaceTypes.map(interfaceField).filter((field) => patch.some((operation) => firstSegment(operation) === field));

/** A removed interface has no value until the type that the patch leads to gives it its default. */
const emptyField = (field: string): unknown => (kindOf(field) ? null : emptyValue('node', field));

/** A removed or null interface takes its default again; with a reset so does every one that the patch does not name. */
function interfacesAfter(
  fields: NodeFields,
  type: HardwareType,
  patch: PatchNode,
  resets: boolean,
  options: ConductorOptions,
): NodeFields {
  const named = namedInterfaces(patch.patch);
  const requested = Object.fromEntries(
    interfaceTypes.map(interfaceField).map((field) => [field, resets && !named.includes(field) ? null : fields[field]]),
  );
  return { ...fields, ...chooseInterfaces(type, requested, options.interfaces) };
}

/** The node's fields as the patch leaves them, checked as a whole (contract: node-api.md §6). */
export function patchedFields(node: Node, command: PatchNode, options: ConductorOptions): NodeFields {
  const removed = command.patch.find(
    ({ op, path }) => op === 'remove' && (path === '/driver' || path === '/conductor_group'),
  );
  if (removed) throw new Refusal('INVALID_PARAMETER', `The ${firstSegment(removed)} of a node can not be removed.`);
  const patched = patchDocument({ ...node.fields }, command.patch, emptyField);
  const fields = { ...node.fields, ...checkedFields('node', patched) } as NodeFields;
  if (command.patch.some(setsNoName)) {
    throw new Refusal('INVALID_PARAMETER', 'A name can be removed, but not set to nothing.');
  }
  const group = fields.conductor_group.toLowerCase();
  const type = servedType(fields.driver, group, options);
  const grouped = { ...fields, conductor_group: group };
  // A driver that is set to what it was resets nothing.
  const resets = command.resetInterfaces && fields.driver !== node.fields.driver;
  return touchesInterfaces(command) ? interfacesAfter(grouped, type, command, resets, options) : grouped;
}

const setsNoName = ({ op, path, value }: PatchOperation): boolean =>
  op !== 'remove' && path === '/name' && (value === null || value === '');

const touchesInterfaces = ({ patch, resetInterfaces }: PatchNode): boolean =>
  resetInterfaces ||
  patch.some((operation) => firstSegment(operation) === 'driver' || kindOf(firstSegment(operation)) !== undefined);

export async function patchNode(command: PatchNode, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { options, commits, box, clock } = deps;
  const { patch, minor } = command;
  const onlyRemovesInstance = patch.length === 1 && patch[0]?.op === 'remove' && patch[0].path === '/instance_uuid';
  const key = new FreshKey(box);
  await key.around(() =>
    commits.commit(command.uuid, meta, async ({ stream }) => {
      if (!stream.node) throw new Refusal('NODE_NOT_FOUND', `Node ${command.uuid} could not be found.`);
      const context = { now: clock.now(), host: options.host, policy: options.policy };
      const update = { type: 'Update', minor, namedInterfaces: namedInterfaces(patch), onlyRemovesInstance } as const;
      const plain = patchedFields(stream.node, command, options);
      refuseForeignSealed(stream.node.fields, plain);
      decide({ ...update, fields: plain }, stream, context);
      const had = stream.node.keyId;
      const { fields, keyId } = await sealFields(plain, had ?? key.made, box);
      if (had === null && keyId !== null) key.made = keyId;
      const first = had === null && keyId !== null ? { keyId } : {};
      return {
        events: decide({ ...update, fields, ...first }, stream, context),
        guards: await guardChassis(stream.node.fields.chassis_uuid, fields.chassis_uuid, deps),
      };
    }),
  );
}
