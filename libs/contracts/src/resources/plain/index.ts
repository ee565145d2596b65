/** Plain resources: each is a declaration; commands, read model and api serve them all in one way. */
import { allocation } from './allocation';
import { chassis } from './chassis';
import { inspectionRule } from './inspection-rule';
import type { PlainKind, PlainResource } from './plain-resource';
import { port } from './port';
import { portgroup } from './portgroup';
import { deployTemplate, runbook } from './steps';
import { volumeConnector, volumeTarget } from './volume';

export { detailGate } from './plain-resource';
export type { Holder, PlainKind, PlainResource, Reference, UniqueKey } from './plain-resource';

export const plainResources: Readonly<Record<PlainKind, PlainResource>> = {
  port,
  chassis,
  portgroup,
  deploy_template: deployTemplate,
  runbook,
  volume_connector: volumeConnector,
  volume_target: volumeTarget,
  inspection_rule: inspectionRule,
  allocation,
};

export const plainKinds = Object.keys(plainResources) as readonly PlainKind[];
