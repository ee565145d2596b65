import { parseCapabilities, withCapabilities } from '../inspection-hooks/capabilities';
import type { JsonObject } from '../node/fields';
import { RuleFailure } from './types';

/** A name that is there already gets the new value (contract: inspection.md §12.2, RULE). */
export const capabilitiesWith =
  (name: string, value: string) =>
  (properties: unknown): JsonObject => {
    const changed = withCapabilities(properties as JsonObject, [[name, value]]);
    if (typeof changed === 'string') throw new RuleFailure(changed);
    return { ...(properties as JsonObject), ...changed };
  };

export const capabilitiesWithout =
  (name: string) =>
  (properties: unknown): JsonObject => {
    const capabilities = parseCapabilities((properties as JsonObject)['capabilities']);
    if (typeof capabilities === 'string') throw new RuleFailure(capabilities);
    if (!capabilities.delete(name)) return properties as JsonObject;
    const text = [...capabilities].map(([one, value]) => `${one}:${value}`).join(',');
    return { ...(properties as JsonObject), capabilities: text };
  };
