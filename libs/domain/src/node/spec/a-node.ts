import { emptyStream, evolve } from '..';
import type { Node, NodeFields } from '..';
import { fieldDefaults, interfaceField, interfaceTypes } from '../fields';

export const UUID = '11111111-2222-4333-8444-555555555555';

/** Fields of a fake-hardware node, every interface `fake` unless said otherwise. */
export function someFields(fields: Partial<NodeFields> = {}): NodeFields {
  const interfaces = Object.fromEntries(interfaceTypes.map((type) => [interfaceField(type), 'fake']));
  return { ...fieldDefaults, ...interfaces, driver: 'fake-hardware', ...fields } as NodeFields;
}

/** A node as it stands, without the way to it: for rules that look at single attributes. */
export function aNode(state: Partial<Node> = {}, fields: Partial<NodeFields> = {}): Node {
  const enrolled = evolve(emptyStream, {
    type: 'NodeEnrolled',
    data: { at: 0, uuid: UUID, fields: someFields(fields), state: 'manageable', keyId: null },
  });
  if (!enrolled.node) throw new Error('enrolling makes a node');
  return { ...enrolled.node, ...state };
}
