/** contract: other-resources.md §1 */
import { portFields, portListFields } from '../port';
import { unique, type PlainResource } from './plain-resource';

export const port: PlainResource = {
  kind: 'port',
  concept: 'Port',
  noun: 'port',
  path: 'ports',
  listKey: 'ports',
  fields: portFields,
  listFields: portListFields,
  addressed: 'by UUID or name',
  unique: [unique('port', 'address'), unique('port', 'name')],
  references: [{ field: 'portgroup_uuid', kind: 'portgroup', sameNode: true }],
  heldBy: [],
  ofNode: true,
  hasDetailPath: true,
  filters: ['node', 'node_uuid', 'address', 'portgroup', 'shard', 'description_contains', 'conductor_groups'],
  secret: [],
  filterMin: { portgroup: 24, shard: 82 },
};
