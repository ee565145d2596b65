import { MASK, isSealed, maskSecrets, secretFieldNames } from '../secrets';
import type { JsonObject, NodeFields } from '../node/fields';

/** contract: inspection.md §12.2, secrets */
const secretKeys: ReadonlySet<string> = new Set(['password', 'auth_token', 'bmc_password']);
const DATA_MASK = '***';

/** Data of a machine as rules see it: what its keys call secret is hidden at any depth. */
export function maskedData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, secretKeys.has(key) ? DATA_MASK : maskedData(inner)]),
  );
}

/** The node as rules see it: its own secrets stay where they are. */
export function maskedNode(fields: NodeFields, facts: JsonObject, traits: readonly string[]): JsonObject {
  const shown = Object.entries(fields).map(([key, value]) => [
    key,
    isSealed(value) ? MASK : secretFieldNames.includes(key) ? maskSecrets(key, value) : value,
  ]);
  return { ...facts, ...Object.fromEntries(shown), traits };
}
