/** contract: other-resources.md §6 */
import { client, createOnly, field } from '../field';
import type { PlainResource } from './plain-resource';

export const inspectionRule: PlainResource = {
  kind: 'inspection_rule',
  concept: 'InspectionRule',
  noun: 'inspection rule',
  path: 'inspection_rules',
  listKey: 'inspection_rules',
  fields: [
    field(96, 'uuid', 'uuid', { ...createOnly, nullable: false }),
    field(96, 'description', 'string', { ...client, maxLength: 255 }),
    field(96, 'priority', 'integer', { ...client, nullable: false, empty: 0, minimum: 0, maximum: 9999 }),
    field(96, 'phase', 'string', { ...client, nullable: false, empty: 'main', oneOf: ['main'] }),
    field(96, 'sensitive', 'boolean', { ...client, nullable: false, empty: false }),
    field(96, 'conditions', 'list', { ...client, nullable: false }),
    field(96, 'actions', 'list', { create: 'required', patch: true, nullable: false }),
    field(96, 'created_at', 'time', { nullable: false, selectable: false }),
    field(96, 'updated_at', 'time', { selectable: false }),
    field(96, 'links', 'links', { computed: true }),
  ],
  listFields: ['uuid', 'priority', 'phase', 'description'],
  addressed: 'by UUID',
  unique: [],
  references: [],
  heldBy: [],
  ofNode: false,
  hasDetailPath: false,
  filters: ['phase'],
  secret: ['conditions', 'actions'],
  sensitiveBy: 'sensitive',
  filterMin: {},
};
