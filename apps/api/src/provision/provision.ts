/**
 * PUT .../states/provision. The order of the checks decides which refusal wins.
 * contract: inspection.md §2; node-api.md §10
 */
import {
  abortMinMinor,
  acceptedTargets,
  isProvisionState,
  nextState,
  verbMinMinor,
  verbsVersionedAfterState,
  verbToTrigger,
} from '@lib/domain';
import { ApiFault, badRequest, tooNew } from '../faults';
import { accepted, mandatoryText, namedArguments, reasonIn, type Answer, type Call } from '../http';
import { checkDeploymentMode, findNode, statesLocation, type FoundNode } from '../nodes';
import {
  argumentNames,
  checkAllowed,
  checkCompany,
  checkDrive,
  checkNeeds,
  checkShapes,
  checkStepShapes,
} from './arguments';
import { takeRunbook } from './runbook';

/** Verbs after which the machine boots what was deployed. */
const deployments: ReadonlySet<string> = new Set(['active', 'rebuild']);

export async function provision(call: Call): Promise<Answer> {
  const given = namedArguments(call, argumentNames);
  const target = mandatoryText(given, 'target');
  const shaped = checkShapes(given);
  const node = await findNode(call);
  if (!verbsVersionedAfterState.has(target)) checkVerbVersion(target, call.minor);
  checkStepShapes(shaped);
  checkMaintenance(node, target);
  checkState(node, target);
  const driven = checkDrive(target, shaped, call.minor);
  const runbook = await takeRunbook(target, driven, node, call);
  const args = runbook?.args ?? driven;
  checkCompany(target, args, call.minor);
  checkAbortVersion(node, target, call.minor);
  checkVerbVersion(target, call.minor);
  checkNeeds(target, args);
  checkAllowed({ ...args, ...(runbook ? { [`${target}_steps`]: runbook.steps } : {}) }, call.services.settings);
  if (deployments.has(target)) checkDeploymentMode(node.document, call.services.settings);
  const why = target === 'abort' ? reasonIn(call.reason) : null;
  const reason = why === null ? {} : { reason: why };
  await call.services.commands.send({ type: 'Provision', uuid: node.uuid, target, args, ...reason }, call.requestId);
  return accepted(statesLocation(call));
}

function checkVerbVersion(target: string, minor: number): void {
  const min = Object.hasOwn(verbMinMinor, target) ? (verbMinMinor[target] ?? 1) : 1;
  // Servers hold every verb but this alias to its version (contract: microversions.json, 73).
  if (minor < min && target !== 'undeploy') throw tooNew(`the verb ${target}`, min);
}

function checkMaintenance({ uuid, document }: FoundNode, target: string): void {
  if (!deployments.has(target) || document['maintenance'] !== true) return;
  throw badRequest(`The ${target} operation can't be performed on node ${uuid} because it's in maintenance mode.`);
}

/** The conductor decides again; this answers what needs no lock. */
function checkState({ uuid, document }: FoundNode, target: string): void {
  const state = document['provision_state'];
  const known = isProvisionState(state) && nextState(state, verbToTrigger(target)) !== undefined;
  if (known && acceptedTargets.some((one) => one === target)) return;
  const holder = document['reservation'];
  if (!known && holder !== null && holder !== undefined) {
    throw new ApiFault(
      409,
      `Node ${uuid} is locked by host ${String(holder)}, please retry after the current operation is completed.`,
    );
  }
  throw badRequest(
    `The requested action "${target}" can not be performed on node "${uuid}" while it is in state "${String(state)}".`,
  );
}

function checkAbortVersion({ document }: FoundNode, target: string, minor: number): void {
  const state = document['provision_state'];
  if (target !== 'abort' || !isProvisionState(state)) return;
  const min = abortMinMinor[state];
  if (min !== undefined && minor < min) throw tooNew(`abort in the state ${state}`, min);
}
