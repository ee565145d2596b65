/**
 * Filters of the node list as conditions of the read model.
 * contract: node-api.md §5 (table), microversions.json node_filters
 */
import { nodeQueryMin, SEARCHED_DESCRIPTION, uncheckedInDetail } from '@lib/contracts';
import { faults, isProvisionState } from '@lib/domain';
import type { Condition } from '@lib/ports';
import { badRequest, tooNew } from '../faults';
import type { Call } from '../http';
import { pythonBoolean } from '../lists';
import { canonicalUuid, isUuidLike } from './idents';

export interface Filters {
  readonly where: readonly Condition[];
  /** The host that must serve the node: known only when the page is rendered. */
  readonly conductor: string | undefined;
  /** As `next` repeats them. */
  readonly repeated: readonly (readonly [name: string, value: string])[];
  /** At most one node can match: never a next page. */
  readonly single: boolean;
}

type Reader = (call: Call, name: string) => Condition[];

const column =
  (name: string): Reader =>
  (call, argument) => [{ column: name, is: 'equal', value: call.query.single(argument) ?? '' }];

const flag =
  (name: string): Reader =>
  (call, argument) => [{ column: name, is: 'equal', value: call.query.boolean(argument) ?? false }];

const presence =
  (name: string): Reader =>
  (call, argument) => [{ column: name, is: call.query.boolean(argument) ? 'not null' : 'null' }];

const uuid =
  (name: string): Reader =>
  (call, argument) => {
    const value = call.query.single(argument) ?? '';
    if (!isUuidLike(value)) throw badRequest(`Expected a UUID for ${argument} but received ${value}.`);
    return [{ column: name, is: 'equal', value: canonicalUuid(value) }];
  };

const oneOf =
  (name: string, known: (value: string) => boolean, all: string): Reader =>
  (call, argument) => {
    const value = call.query.single(argument) ?? '';
    if (!known(value)) throw badRequest(`Invalid value for ${argument}: '${value}'. ${all}`);
    return [{ column: name, is: 'equal', value }];
  };

const isFault = (value: string): boolean => faults.some((one) => one === value);

/** Shards are compared as written and in lower case, so that both readings of the contract find theirs. */
const shards: Reader = (call, argument) => {
  const written = (call.query.single(argument) ?? '').split(',').map((one) => one.trim());
  return [
    { column: 'shard', is: 'in', values: [...new Set([...written, ...written.map((one) => one.toLowerCase())])] },
  ];
};

/** As databases compare with LIKE: without regard to case. */
export const descriptionContaining = (text: string): Condition => ({
  column: SEARCHED_DESCRIPTION,
  is: 'containing',
  value: text.toLowerCase(),
});

const readers: Readonly<Record<string, Reader>> = {
  instance_uuid: uuid('instance_uuid'),
  chassis_uuid: uuid('chassis_uuid'),
  associated: presence('instance_uuid'),
  maintenance: flag('maintenance'),
  retired: flag('retired'),
  provision_state: oneOf('provision_state', isProvisionState, 'It names no provision state.'),
  driver: column('driver'),
  resource_class: column('resource_class'),
  fault: oneOf('fault', isFault, `Known faults: ${faults.join(', ')}.`),
  conductor_group: column('conductor_group'),
  owner: column('owner'),
  lessee: column('lessee'),
  instance_name: column('instance_name'),
  project: (call, name) => {
    const value = call.query.single(name) ?? '';
    return [
      {
        anyOf: [
          { column: 'owner', is: 'equal', value },
          { column: 'lessee', is: 'equal', value },
        ],
      },
    ];
  },
  description_contains: (call, name) => [descriptionContaining(call.query.single(name) ?? '')],
  shard: shards,
  sharded: presence('shard'),
};

const booleans: ReadonlySet<string> = new Set(['associated', 'maintenance', 'retired', 'sharded', 'include_children']);

export const filterNames: readonly string[] = [...Object.keys(readers), 'conductor', 'include_children', 'parent_node'];

export function nodeFilters(call: Call, options: { readonly detailPath: boolean }): Filters {
  const given = call.query.names().filter((name) => filterNames.includes(name));
  for (const name of given) {
    const min = nodeQueryMin[name] ?? 1;
    if (call.minor < min && !(options.detailPath && uncheckedInDetail.has(name)))
      throw tooNew(`the filter ${name}`, min);
  }
  const where = given.flatMap((name) => readers[name]?.(call, name) ?? []);
  return {
    where: [...where, ...family(call)],
    conductor: call.query.single('conductor'),
    repeated: given.map((name) => [name, repeatedValue(call, name)] as const),
    single: given.includes('instance_uuid'),
  };
}

/** Child nodes are left out unless they are asked for. */
function family(call: Call): Condition[] {
  const parent = call.query.single('parent_node');
  if (parent !== undefined) return [{ column: 'parent_node', is: 'equal', value: parent }];
  return call.query.boolean('include_children') ? [] : [{ column: 'parent_node', is: 'null' }];
}

function repeatedValue(call: Call, name: string): string {
  return booleans.has(name) ? pythonBoolean(call.query.boolean(name) ?? false) : (call.query.single(name) ?? '');
}
