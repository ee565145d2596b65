import type { PlainKind } from '../resources';
import type { PayloadClassName } from './payloads';

/** What is told of a plain resource: the object's word in event types, and the class of its payload. */
export interface ToldKind {
  readonly object: string;
  readonly payload: PayloadClassName;
}

/** The word of an object is its class in lower case, in one piece (contract: notifications.md §2). */
export const toldKinds: Readonly<Record<PlainKind, ToldKind>> = {
  port: { object: 'port', payload: 'PortCRUDPayload' },
  portgroup: { object: 'portgroup', payload: 'PortgroupCRUDPayload' },
  chassis: { object: 'chassis', payload: 'ChassisCRUDPayload' },
  allocation: { object: 'allocation', payload: 'AllocationCRUDPayload' },
  deploy_template: { object: 'deploytemplate', payload: 'DeployTemplateCRUDPayload' },
  runbook: { object: 'runbook', payload: 'RunbookCRUDPayload' },
  inspection_rule: { object: 'inspectionrule', payload: 'InspectionRuleCRUDPayload' },
  volume_connector: { object: 'volumeconnector', payload: 'VolumeConnectorCRUDPayload' },
  volume_target: { object: 'volumetarget', payload: 'VolumeTargetCRUDPayload' },
};

export type NotificationStatus = 'start' | 'end' | 'success' | 'error';

export type NodeAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'maintenance_set'
  | 'console_set'
  | 'power_set'
  | 'power_state_corrected'
  | 'provision_set';

/** Who is named as the publisher: the api for what a client does to a resource, the conductor for the rest. */
export type NotificationService = 'ironic-api' | 'ironic-conductor';
