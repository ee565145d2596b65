import { MINOR_MAX } from '@lib/contracts';
import { changedFields, checkNodeName, checkOwnInspection } from '@lib/domain';
import type { EffectValue, FieldChange, Node } from '@lib/domain';
import type { SecretBox } from '@lib/ports';
import { patchedFields, refuseForeignSealed, sealFields } from '../handle-command';
import type { ConductorOptions } from '../handle-command';

/**
 * The node's fields as rules leave them, checked as those of a PATCH: another driver takes the interfaces of its own, and
 * secrets are sealed. Rejects with a Refusal.
 */
export async function changedNode(
  node: Node,
  changes: readonly FieldChange[],
  options: ConductorOptions,
  box: SecretBox,
): Promise<Pick<EffectValue, 'ruledFields' | 'keyId'>> {
  if (changes.length === 0) return {};
  const patch = {
    type: 'PatchNode',
    uuid: node.uuid,
    patch: changes,
    minor: MINOR_MAX,
    resetInterfaces: true,
  } as const;
  const plain = patchedFields(node, patch, options);
  if (plain.name !== null && plain.name !== node.fields.name) checkNodeName(plain.name);
  checkOwnInspection(plain.driver_info);
  refuseForeignSealed(node.fields, plain);
  const { fields, keyId } = await sealFields(plain, node.keyId, box);
  const first = node.keyId === null && keyId !== null ? { keyId } : {};
  return { ruledFields: changedFields(node.fields, fields), ...first };
}
