/** contract: other-resources.md §13 */
import { client, createOnly, field } from '../field';
import { unique, type PlainResource } from './plain-resource';

const required = { create: 'required', patch: true, nullable: false } as const;

const shared = {
  addressed: 'by UUID',
  references: [],
  heldBy: [],
  ofNode: true,
  hasDetailPath: false,
  filters: ['node'],
  filterMin: {},
} as const;

export const volumeConnector: PlainResource = {
  ...shared,
  kind: 'volume_connector',
  concept: 'VolumeConnector',
  noun: 'volume connector',
  path: 'volume/connectors',
  listKey: 'connectors',
  fields: [
    field(32, 'uuid', 'uuid', { ...createOnly, nullable: false }),
    field(32, 'node_uuid', 'uuid', required),
    field(32, 'type', 'string', { ...required, maxLength: 32 }),
    field(32, 'connector_id', 'string', { ...required, maxLength: 255 }),
    field(32, 'extra', 'object', { ...client, nullable: true }),
    field(32, 'created_at', 'time', { nullable: false, selectable: false }),
    field(32, 'updated_at', 'time', { selectable: false }),
    field(32, 'links', 'links', { computed: true }),
  ],
  listFields: ['uuid', 'node_uuid', 'type', 'connector_id'],
  unique: [unique('volume_connector', 'type', 'connector_id')],
  secret: [],
};

export const volumeTarget: PlainResource = {
  ...shared,
  kind: 'volume_target',
  concept: 'VolumeTarget',
  noun: 'volume target',
  path: 'volume/targets',
  listKey: 'targets',
  fields: [
    field(32, 'uuid', 'uuid', { ...createOnly, nullable: false }),
    field(32, 'node_uuid', 'uuid', required),
    field(32, 'volume_type', 'string', { ...required, maxLength: 64 }),
    field(32, 'boot_index', 'integer', required),
    field(32, 'volume_id', 'string', { ...required, maxLength: 36 }),
    field(32, 'properties', 'object', { ...client, nullable: true, masked: true }),
    field(32, 'extra', 'object', { ...client, nullable: true }),
    field(32, 'created_at', 'time', { nullable: false, selectable: false }),
    field(32, 'updated_at', 'time', { selectable: false }),
    field(32, 'links', 'links', { computed: true }),
  ],
  listFields: ['uuid', 'node_uuid', 'volume_type', 'boot_index', 'volume_id'],
  unique: [unique('volume_target', 'node_uuid', 'boot_index')],
  secret: ['properties'],
};
