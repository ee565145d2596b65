/** contract: other-resources.md §7 */
import { argumentGates, driverFields, driverListFields } from '@lib/contracts';
import { interfaceTypes } from '@lib/contracts/settings';
import { hardwareTypes, logicalDiskProperties } from '@lib/domain';
import type { ConductorRow } from '@lib/ports';
import { badRequest, notFound } from '../faults';
import { ok, type Answer, type Call } from '../http';
import { detailArgument, fieldsArgument, fullSelection, namedSelection, type Selection } from '../lists';
import { linkPair } from '../render';
import { checkGate } from '../version';
import { capabilitiesOf } from '../conductors';

export async function listDrivers(call: Call): Promise<Answer> {
  call.query.only(['type', 'detail', 'fields']);
  const type = typeArgument(call);
  const selection = listSelection(call);
  const rows = type === 'classic' ? [] : await call.services.conductors.living();
  const names = [...new Set(rows.flatMap((row) => row.drivers))].sort();
  return ok({ drivers: names.map((name) => render(call, name, rows, selection)) });
}

function typeArgument(call: Call): string | undefined {
  const type = call.query.single('type');
  if (type === undefined) return undefined;
  checkGate(call.minor, argumentGates.driverType);
  if (type !== 'classic' && type !== 'dynamic')
    throw badRequest('Invalid value for type: classic or dynamic is expected.');
  return type;
}

function listSelection(call: Call): Selection {
  const names = fieldsArgument(call, driverFields, argumentGates.driverFields);
  const detail = detailArgument(call, argumentGates.driverDetail) ?? false;
  if (detail && names !== undefined) throw badRequest('The arguments fields and detail exclude each other.');
  return names === undefined
    ? fullSelection(driverFields, call.minor).filter((field) => detail || driverListFields.has(field.name))
    : namedSelection(driverFields, call.minor, names);
}

export async function showDriver(call: Call): Promise<Answer> {
  call.query.only(['fields']);
  const names = fieldsArgument(call, driverFields, argumentGates.driverFields);
  const { name, rows } = await findDriver(call);
  const selection =
    names === undefined ? fullSelection(driverFields, call.minor) : namedSelection(driverFields, call.minor, names);
  return ok(render(call, name, rows, selection));
}

export async function showDriverProperties(call: Call): Promise<Answer> {
  call.query.only(call.params['name'] === undefined ? ['driver_name'] : []);
  const { name, rows } = await findDriver(call);
  const told = rows.map((row) => capabilitiesOf(row).properties?.[name] ?? {});
  return ok(Object.assign({}, hardwareTypes.get(name)?.properties, ...told));
}

/** Hardware types that know no RAID have no such properties: 404. */
export async function showRaidProperties(call: Call): Promise<Answer> {
  call.query.only([]);
  const { name, rows } = await findDriver(call);
  const enabled = rows.flatMap((row) => capabilitiesOf(row).interfaces?.[name]?.raid?.enabled ?? []);
  const raid = (hardwareTypes.get(name)?.supports.raid ?? enabled).some((one) => one !== 'no-raid');
  if (!raid) throw notFound(`Driver ${name} does not support RAID.`);
  return ok(logicalDiskProperties);
}

export async function findDriver(call: Call): Promise<{ name: string; rows: readonly ConductorRow[] }> {
  const name = call.params['name'] ?? call.query.single('driver_name');
  if (name === undefined) throw badRequest('Missing mandatory parameter: driver_name');
  const rows = await call.services.conductors.living();
  if (!rows.some((row) => row.drivers.includes(name))) throw notFound(`Driver ${name} could not be found.`);
  return { name, rows };
}

function render(
  call: Call,
  name: string,
  rows: readonly ConductorRow[],
  selection: Selection,
): Record<string, unknown> {
  const serving = rows.filter((row) => row.drivers.includes(name));
  const all: Record<string, unknown> = {
    name,
    hosts: serving.map((row) => row.hostname).sort(),
    links: linkPair(call.publicUrl, `drivers/${name}`),
    properties: linkPair(call.publicUrl, `drivers/${name}/properties`),
    type: 'dynamic',
    ...interfacesOf(name, serving),
  };
  return Object.fromEntries(selection.map((field) => [field.name, all[field.name] ?? field.empty]));
}

/** What is enabled and supported, over all conductors that serve the type. */
function interfacesOf(name: string, serving: readonly ConductorRow[]): Record<string, unknown> {
  const supports = serving.map((row) => capabilitiesOf(row).interfaces?.[name] ?? {});
  const shown: Record<string, unknown> = {};
  for (const type of interfaceTypes) {
    const found = supports.flatMap((one) => one[type] ?? []);
    shown[`default_${type}_interface`] = found.find((one) => one.default !== null)?.default ?? null;
    shown[`enabled_${type}_interfaces`] = [...new Set(found.flatMap((one) => one.enabled))].sort();
  }
  return shown;
}
