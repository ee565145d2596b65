/** contract: other-resources.md §10; microversions.json allocation_fields */
import { client, createOnly, field } from '../field';
import { unique, type PlainResource } from './plain-resource';

const fields = [
  field(52, 'uuid', 'uuid', { ...createOnly, nullable: false }),
  field(52, 'name', 'string', { ...client, maxLength: 255 }),
  field(52, 'node_uuid', 'uuid'),
  field(52, 'state', 'string'),
  field(52, 'last_error', 'string'),
  field(52, 'resource_class', 'string', { ...createOnly, maxLength: 80 }),
  field(52, 'traits', 'list', createOnly),
  field(52, 'candidate_nodes', 'list', createOnly),
  field(52, 'extra', 'object', { ...client, nullable: true }),
  field(52, 'created_at', 'time', { nullable: false, selectable: false }),
  field(52, 'updated_at', 'time', { selectable: false }),
  field(52, 'links', 'links', { computed: true }),
  field(60, 'owner', 'string', { ...createOnly, maxLength: 255 }),
];

export const allocation: PlainResource = {
  kind: 'allocation',
  concept: 'Allocation',
  noun: 'allocation',
  path: 'allocations',
  listKey: 'allocations',
  fields,
  listFields: fields.filter(({ computed }) => !computed).map(({ name }) => name),
  addressed: 'by UUID or name',
  unique: [unique('allocation', 'name')],
  references: [],
  heldBy: [],
  ofNode: false,
  hasDetailPath: false,
  filters: ['node', 'resource_class', 'state', 'owner'],
  secret: [],
  filterMin: { owner: 60 },
};
