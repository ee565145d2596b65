import { cutText } from '@lib/contracts';
import { MASK } from '@lib/domain';
import type { JsonObject, Node, WorkName } from '@lib/domain';
import { isoTime, isoTimeOrNull } from './times';

/** That an agent has its token is shown, the token never: of it only a digest is known. */
export const shownInternalInfo = ({ driverInternalInfo, agentTokenDigest }: Node): JsonObject =>
  agentTokenDigest === null ? driverInternalInfo : { ...driverInternalInfo, agent_secret_token: MASK };

const shownAs: Readonly<Partial<Record<WorkName, 'clean_step' | 'deploy_step' | 'service_step'>>> = {
  clean: 'clean_step',
  'manual clean': 'clean_step',
  deploy: 'deploy_step',
  service: 'service_step',
};

/** The step that is being taken, waited for or held, in the field of its work; an empty object in all others. */
function shownStep({ work }: Node, field: 'clean_step' | 'deploy_step' | 'service_step'): unknown {
  return (work && shownAs[work.work] === field && work.steps[work.index]) || {};
}

/** The fields themselves where there is nothing to cut, which is nearly always. */
function fieldsShown({ fields }: Node, charsMax: number): Node['fields'] {
  const { maintenance_reason: reason } = fields;
  if (reason === null) return fields;
  const cut = cutText(reason, charsMax);
  return cut === reason ? fields : { ...fields, maintenance_reason: cut };
}

/**
 * The node as the read model keeps it: every stored field of node-api.md §1 at the newest version, real state names,
 * secrets sealed. What depends on the request (links, conductor, masked values, older names) is the api's.
 */
export function nodeDocument(node: Node, errorCharsMax: number): Record<string, unknown> {
  return {
    uuid: node.uuid,
    driver_internal_info: shownInternalInfo(node),
    provision_state: node.provisionState,
    target_provision_state: node.targetProvisionState,
    provision_updated_at: isoTimeOrNull(node.provisionUpdatedAt),
    power_state: node.powerState,
    target_power_state: node.targetPowerState,
    last_error: node.lastError === null ? null : cutText(node.lastError, errorCharsMax),
    reservation: node.reservation?.host ?? null,
    inspection_started_at: isoTimeOrNull(node.inspectionStartedAt),
    inspection_finished_at: isoTimeOrNull(node.inspectionFinishedAt),
    console_enabled: node.managed.consoleEnabled,
    boot_mode: node.managed.bootMode,
    secure_boot: node.managed.secureBoot,
    clean_step: shownStep(node, 'clean_step'),
    deploy_step: shownStep(node, 'deploy_step'),
    service_step: shownStep(node, 'service_step'),
    raid_config: node.managed.raidConfig ?? {},
    target_raid_config: node.managed.targetRaidConfig,
    traits: node.traits,
    health: null,
    allocation_uuid: node.allocation?.uuid ?? null,
    created_at: isoTime(node.createdAt),
    updated_at: isoTimeOrNull(node.updatedAt),
    // Last and once: members written after a spread cost a hundred times as much.
    ...fieldsShown(node, errorCharsMax),
  };
}
