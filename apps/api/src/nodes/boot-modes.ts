/**
 * Boot modes that the settings refuse, as the capabilities of a node name them.
 * contract: node-api.md §3 (step 2), config.md [api], [conductor]
 */
import type { PatchOperation } from '@lib/contracts';
import type { Settings } from '@lib/contracts/settings';
import { badRequest } from '../faults';
import { isObject, type JsonObject } from '../http';

/** `k:v,k:v`, an object, or an object as JSON text: instances have all three. Null: no boot mode is named. */
export function bootModeIn(capabilities: unknown): string | null {
  const named = typeof capabilities === 'string' ? (objectIn(capabilities) ?? pairsOf(capabilities)) : capabilities;
  const mode = isObject(named) && Object.hasOwn(named, 'boot_mode') ? named['boot_mode'] : null;
  return typeof mode === 'string' ? mode.trim().toLowerCase() : null;
}

function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const pairsOf = (text: string): JsonObject =>
  Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', ...value] = pair.split(':');
      return [name.trim(), value.join(':')];
    }),
  );

const capabilitiesIn = (value: unknown): unknown => (isObject(value) ? value['capabilities'] : undefined);

/** What a node is enrolled with, or what a patch writes. Refuses with 400. */
export function checkEnrollmentMode(properties: unknown, { api }: Settings): void {
  const mode = bootModeIn(capabilitiesIn(properties));
  if (mode === null || !api.disallowed_enrollment_boot_modes.includes(mode)) return;
  throw badRequest(
    `The boot mode ${mode} is not allowed in properties.capabilities ([api] disallowed_enrollment_boot_modes).`,
  );
}

/** The same for one operation: a patch writes capabilities alone, or with all properties. */
export function checkPatchedMode({ path, value }: PatchOperation, settings: Settings): void {
  if (path === '/properties') checkEnrollmentMode(value, settings);
  if (path === '/properties/capabilities') checkEnrollmentMode({ capabilities: value }, settings);
}

/** The mode in which the node would be deployed. Refuses with 400. */
export function checkDeploymentMode(node: JsonObject, { conductor }: Settings): void {
  const asked = bootModeIn(capabilitiesIn(node['instance_info'])) ?? bootModeIn(capabilitiesIn(node['properties']));
  const mode = asked ?? node['boot_mode'];
  if (typeof mode !== 'string' || !conductor.disallowed_deployment_boot_modes.includes(mode)) return;
  throw badRequest(
    `Node ${String(node['uuid'])} can not be deployed in the boot mode ${mode} ([conductor] disallowed_deployment_boot_modes).`,
  );
}
