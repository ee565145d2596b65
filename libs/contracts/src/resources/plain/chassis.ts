/** contract: other-resources.md §9 */
import { client, createOnly, field } from '../field';
import type { PlainResource } from './plain-resource';

export const chassis: PlainResource = {
  kind: 'chassis',
  concept: 'Chassis',
  noun: 'chassis',
  path: 'chassis',
  listKey: 'chassis',
  fields: [
    field(1, 'uuid', 'uuid', { ...createOnly, nullable: false }),
    field(1, 'description', 'string', { ...client, maxLength: 255 }),
    field(1, 'extra', 'object', { ...client, nullable: true }),
    field(1, 'created_at', 'time', { nullable: false, selectable: false }),
    field(1, 'updated_at', 'time', { selectable: false }),
    field(1, 'links', 'links', { computed: true }),
    field(1, 'nodes', 'links', { computed: true }),
  ],
  listFields: ['uuid', 'description'],
  addressed: 'by UUID',
  unique: [],
  references: [],
  heldBy: [{ kind: 'node', column: 'chassis_uuid' }],
  ofNode: false,
  hasDetailPath: true,
  filters: [],
  secret: [],
  filterMin: {},
};
