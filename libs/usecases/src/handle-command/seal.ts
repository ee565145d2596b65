import { Refusal, foreignSealedField, secretFieldNames, unsealedSecrets, withSecretsSealed } from '@lib/domain';
import type { NodeFields } from '@lib/domain';
import type { SecretBox } from '@lib/ports';

/** A client can not hand in a sealed value: nobody could open it (the shape is ours alone). */
export function refuseForeignSealed(before: Partial<NodeFields>, after: NodeFields): void {
  const field = foreignSealedField({ ...before }, { ...after });
  if (field !== null)
    throw new Refusal('INVALID_PARAMETER', `${field} holds an object of the shape of a sealed secret.`);
}

/** Fields with every secret sealed; `keyId` is the node's key, made here when the first secret comes. */
export async function sealFields(
  fields: NodeFields,
  keyId: string | null,
  box: SecretBox,
): Promise<{ readonly fields: NodeFields; readonly keyId: string | null }> {
  let key = keyId;
  let sealedFields = fields;
  for (const name of secretFieldNames) {
    const value: unknown = Reflect.get(fields, name);
    const secrets = unsealedSecrets(name, value);
    if (secrets.length === 0) continue;
    const id: string = key ?? (await box.newKey());
    key = id;
    const sealed = await Promise.all(secrets.map((secret) => box.seal(id, secret)));
    sealedFields = { ...sealedFields, [name]: withSecretsSealed(name, value, sealed) };
  }
  return { fields: sealedFields, keyId: key };
}
