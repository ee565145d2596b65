import { Refusal, foreignSealedField, secretFieldNames, unsealedSecrets, withSecretsSealed } from '@lib/domain';
import type { SecretBox } from '@lib/ports';

/** A client can not hand in a sealed value: nobody could open it (the shape is ours alone). */
export function refuseForeignSealed(before: object, after: object, names: readonly string[] = secretFieldNames): void {
  const field = foreignSealedField({ ...before }, { ...after }, names);
  if (field !== null)
    throw new Refusal('INVALID_PARAMETER', `${field} holds an object of the shape of a sealed secret.`);
}

/** Fields with every secret sealed; `keyId` is the resource's key, made here when the first secret comes. */
export async function sealFields<Fields extends object>(
  fields: Fields,
  keyId: string | null,
  box: SecretBox,
  names: readonly string[] = secretFieldNames,
): Promise<{ readonly fields: Fields; readonly keyId: string | null }> {
  let key = keyId;
  let sealedFields = fields;
  for (const name of names) {
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

/** As `sealFields`, with each of the fields sealed as one value: nothing of it tells what is in there. */
export async function sealWhole<Fields extends object>(
  fields: Fields,
  keyId: string | null,
  box: SecretBox,
  names: readonly string[],
): Promise<{ readonly fields: Fields; readonly keyId: string | null }> {
  const key = keyId ?? (await box.newKey());
  const entries = names.map(async (name) => [name, await box.seal(key, Reflect.get(fields, name))] as const);
  return { fields: { ...fields, ...Object.fromEntries(await Promise.all(entries)) }, keyId: key };
}
