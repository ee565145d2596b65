/** contract: other-resources.md §11 (deploy templates), §12 (runbooks); microversions.json runbook_fields */
import { below, client, createOnly, field } from '../field';
import { unique, type PlainResource } from './plain-resource';

const steps = { create: 'required', patch: true, nullable: false, masked: true } as const;

export const deployTemplate: PlainResource = {
  kind: 'deploy_template',
  concept: 'DeployTemplate',
  noun: 'deploy template',
  path: 'deploy_templates',
  listKey: 'deploy_templates',
  fields: [
    field(55, 'uuid', 'uuid', { ...createOnly, nullable: false }),
    field(55, 'name', 'string', { create: 'required', patch: true, nullable: false, maxLength: 255 }),
    field(55, 'steps', 'list', steps),
    field(55, 'extra', 'object', { ...client, nullable: true }),
    field(55, 'created_at', 'time', { nullable: false, selectable: false }),
    field(55, 'updated_at', 'time', { selectable: false }),
    field(55, 'links', 'links', { computed: true }),
    field(55, 'description', 'string', { ...client, maxLength: 255, writeOnly: true }),
  ],
  listFields: ['uuid', 'name'],
  addressed: 'by UUID or name',
  unique: [unique('deploy_template', 'name')],
  references: [],
  heldBy: [],
  ofNode: false,
  hasDetailPath: false,
  filters: [],
  secret: ['steps'],
  filterMin: {},
};

export const runbook: PlainResource = {
  kind: 'runbook',
  concept: 'Runbook',
  noun: 'runbook',
  path: 'runbooks',
  listKey: 'runbooks',
  fields: [
    field(92, 'uuid', 'uuid', { ...createOnly, nullable: false }),
    field(92, 'name', 'string', { create: 'required', patch: true, nullable: false, maxLength: 255 }),
    field(92, 'steps', 'list', steps),
    field(92, 'disable_ramdisk', 'boolean', { ...client, empty: false }),
    field(92, 'extra', 'object', { ...client, nullable: true }),
    field(92, 'public', 'boolean', { ...client, empty: false }),
    field(92, 'owner', 'string', { ...client, maxLength: 255 }),
    field(92, 'created_at', 'time', { nullable: false, selectable: false }),
    field(92, 'updated_at', 'time', { selectable: false }),
    field(92, 'links', 'links', { computed: true }),
    field(112, 'description', 'string', { ...client, ...below({ patch: 400 }), maxLength: 255 }),
    field(112, 'traits', 'list'),
  ],
  listFields: ['uuid', 'name'],
  addressed: 'by UUID or name',
  unique: [unique('runbook', 'name')],
  references: [],
  heldBy: [],
  ofNode: false,
  hasDetailPath: false,
  filters: ['project'],
  secret: ['steps'],
  filterMin: {},
};
