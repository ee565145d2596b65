/** contract: other-resources.md §1 (List) */
import { portFields, portListFields, since } from '@lib/contracts';
import { isMac } from '@lib/domain';
import type { Condition } from '@lib/ports';
import { ApiFault, badRequest, notFound, tooNew } from '../faults';
import { ok, type Answer, type Call } from '../http';
import { fullSelection, listSelection, nextLink, pageArguments, pageOf, type ListSelection } from '../lists';
import { canonicalUuid, descriptionContaining, findNode, isUuidLike } from '../nodes';
import { renderPort, type Document } from '../render';

const filterNames = ['node', 'node_uuid', 'address', 'portgroup', 'shard', 'description_contains', 'conductor_groups'];

export const listPorts = (call: Call): Promise<Answer> => list(call, 'ports', [], filterNames);

export const listPortsInDetail = (call: Call): Promise<Answer> => listDetail(call, 'ports/detail', [], filterNames);

export async function listPortsOfNode(call: Call): Promise<Answer> {
  const { uuid } = await findNode(call);
  return list(call, `nodes/${uuid}/ports`, [{ column: 'node_uuid', is: 'equal', value: uuid }], []);
}

export async function listPortsOfNodeInDetail(call: Call): Promise<Answer> {
  const { uuid } = await findNode(call);
  return listDetail(call, `nodes/${uuid}/ports/detail`, [{ column: 'node_uuid', is: 'equal', value: uuid }], []);
}

function list(call: Call, path: string, where: readonly Condition[], filters: readonly string[]): Promise<Answer> {
  call.query.only([...pageArguments, ...filters, 'fields', 'detail']);
  return page(call, path, listSelection(call, portFields, portListFields), where);
}

function listDetail(
  call: Call,
  path: string,
  where: readonly Condition[],
  filters: readonly string[],
): Promise<Answer> {
  call.query.only([...pageArguments, ...filters]);
  const selection = fullSelection(portFields, call.minor);
  return page(call, path, { selection, detail: undefined, names: undefined }, where);
}

async function page(call: Call, path: string, chosen: ListSelection, fixed: readonly Condition[]): Promise<Answer> {
  const asked = pageOf(call, portFields);
  const where = [...fixed, ...(await portConditions(call))];
  const { marker } = asked;
  if (marker !== undefined && !isUuidLike(marker))
    throw badRequest(`Expected a UUID for marker but received ${marker}.`);
  const stored = await call.services.readModel.list({
    kind: 'port',
    where,
    sort: { column: asked.column, descending: asked.descending },
    limit: asked.limit,
    ...(marker === undefined ? {} : { after: canonicalUuid(marker) }),
  });
  if (stored === null) throw notFound(`Port ${marker} could not be found.`);
  const ports = stored.map((one) => renderPort(JSON.parse(one.json) as Document, call, chosen.selection));
  const last = stored.at(-1);
  if (last === undefined || stored.length < asked.limit) return ok({ ports });
  const filters = filterNames
    .filter((name) => call.query.has(name))
    .map((name) => [name, call.query.single(name) ?? ''] as const);
  return ok({ ports, next: nextLink(call.publicUrl, { path, page: asked, filters, ...chosen }, last.id) });
}

async function portConditions(call: Call): Promise<Condition[]> {
  const given = filterNames.filter((name) => call.query.has(name));
  checkVersions(call, given);
  checkExclusion(given);
  const conditions = await Promise.all(given.map((name) => conditionOf(call, name, call.query.single(name) ?? '')));
  return conditions;
}

function checkVersions(call: Call, given: readonly string[]): void {
  if (given.includes('portgroup') && call.minor < since.portgroup)
    throw tooNew('the filter portgroup', since.portgroup);
  if (given.includes('shard') && call.minor < since.shard) throw tooNew('the filter shard', since.shard);
  const node = call.query.single('node');
  if (node !== undefined && call.minor < since.names && !isUuidLike(node))
    throw tooNew('a node name as filter', since.names);
}

function checkExclusion(given: readonly string[]): void {
  if (given.includes('conductor_groups') && given.some((name) => ['node', 'portgroup', 'address'].includes(name))) {
    throw badRequest('The filter conductor_groups excludes node, portgroup and address.');
  }
  const exclusive = given.filter((name) => ['node', 'portgroup', 'shard'].includes(name));
  if (exclusive.length > 1)
    throw new ApiFault(403, `Operation not permitted: ${exclusive.join(' and ')} exclude each other.`);
}

async function conditionOf(call: Call, name: string, value: string): Promise<Condition> {
  switch (name) {
    case 'node':
      return { column: 'node_uuid', is: 'equal', value: (await findNode(call, value)).uuid };
    case 'node_uuid':
      if (!isUuidLike(value)) throw badRequest(`Expected a UUID for node_uuid but received ${value}.`);
      return { column: 'node_uuid', is: 'equal', value: canonicalUuid(value) };
    case 'address':
      if (!isMac(value)) throw badRequest(`Expected a MAC address but received ${value}.`);
      return { column: 'address', is: 'equal', value: value.toLowerCase() };
    case 'portgroup':
      throw notFound(`Portgroup ${value} could not be found.`);
    case 'description_contains':
      return descriptionContaining(value);
    case 'shard':
      return portsOfNodes(call, 'shard', value);
    default:
      return portsOfNodes(call, 'conductor_group', value);
  }
}

/** Ports know their node only, so the nodes are found first. */
async function portsOfNodes(call: Call, column: string, text: string): Promise<Condition> {
  const values = [...new Set(text.split(',').flatMap((one) => [one.trim(), one.trim().toLowerCase()]))];
  const uuids: string[] = [];
  for (let after: string | undefined; ;) {
    const found: readonly { readonly id: string }[] =
      (await call.services.readModel.list({
        kind: 'node',
        where: [{ column, is: 'in', values }],
        sort: { column: 'seq', descending: false },
        limit: NODES_PER_READ,
        ...(after === undefined ? {} : { after }),
      })) ?? [];
    uuids.push(...found.map((one) => one.id));
    after = found.at(-1)?.id;
    if (found.length < NODES_PER_READ) return { column: 'node_uuid', is: 'in', values: uuids };
  }
}

const NODES_PER_READ = 1_000;
