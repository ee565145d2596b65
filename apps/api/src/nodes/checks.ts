/** Checks of references that POST and PATCH share. contract: node-api.md §3, §6 */
import { ApiFault, badRequest } from '../faults';
import type { Call } from '../http';
import { canonicalUuid } from './idents';

/** A living conductor for driver and group, else 400 that names both. The conductor decides again. */
export async function checkHost(call: Call, driver: string, group: unknown): Promise<void> {
  const { conductors, settings } = call.services;
  const wanted = typeof group === 'string' && group !== '' ? group : settings.DEFAULT.default_conductor_group;
  if (await conductors.serves(driver, wanted)) return;
  throw new ApiFault(
    400,
    `No valid host was found. Reason: No conductor service registered which supports driver ${driver} for conductor group "${wanted}".`,
  );
}

/** A chassis that a body names is there. The conductor looks again. */
export async function checkChassis(call: Call, uuid: unknown): Promise<void> {
  if (uuid === undefined || uuid === null) return;
  const [stored] = await call.services.readModel.get('chassis', [canonicalUuid(String(uuid))]);
  if (!stored) throw badRequest(`Chassis ${String(uuid)} could not be found.`);
}
