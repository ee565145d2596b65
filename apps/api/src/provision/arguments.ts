/**
 * Arguments of PUT .../states/provision: shape, and which of them goes with which verb.
 * contract: node-api.md §10 (steps 4-16)
 */
import { argumentGates } from '@lib/contracts';
import type { Settings } from '@lib/contracts/settings';
import { stepName } from '@lib/domain';
import { badRequest } from '../faults';
import { booleanOf, isObject, type JsonObject } from '../http';
import { checkSteps, type StepsName } from '../schema';
import { checkGate } from '../version';

export const argumentNames = [
  'target',
  'configdrive',
  'clean_steps',
  'deploy_steps',
  'service_steps',
  'rescue_password',
  'disable_ramdisk',
  'runbook',
] as const;

const steps: readonly StepsName[] = ['clean_steps', 'deploy_steps', 'service_steps'];

/** Types, before the node is looked up; gives the arguments that say something. */
export function checkShapes(given: JsonObject): JsonObject {
  const said: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (name === 'target' || value === null) continue;
    said[name] = name === 'disable_ramdisk' ? booleanOf(value, name) : value;
  }
  for (const name of ['rescue_password', 'runbook']) {
    if (said[name] !== undefined && typeof said[name] !== 'string')
      throw badRequest(`Invalid value for ${name}: a string is expected.`);
  }
  const drive = said['configdrive'];
  if (drive !== undefined && typeof drive !== 'string' && !isObject(drive))
    throw badRequest('Invalid value for configdrive: a string or an object is expected.');
  return said;
}

export function checkStepShapes(args: JsonObject): void {
  for (const name of steps) if (args[name] !== undefined) checkSteps(name, args[name]);
}

/** A configdrive that says something goes with deployments only. Gives the arguments in force. */
export function checkDrive(target: string, args: JsonObject, minor: number): JsonObject {
  const { configdrive, ...rest } = args;
  if (isBlank(configdrive)) return rest;
  checkConfigdrive(target, configdrive, minor);
  return args;
}

/** What else may accompany the verb, in the contract's order. */
export function checkCompany(target: string, args: JsonObject, minor: number): void {
  if (args['disable_ramdisk'] !== undefined) checkRamdisk(target, minor);
  only(args, 'clean_steps', ['clean'], target);
  if (args['deploy_steps'] !== undefined) checkGate(minor, argumentGates.deploySteps);
  only(args, 'deploy_steps', ['active', 'rebuild'], target);
  only(args, 'rescue_password', ['rescue'], target);
}

/** The last checks, past those of the verb's own version. */
export function checkNeeds(target: string, args: JsonObject): void {
  only(args, 'service_steps', ['service'], target);
  const empty = (name: string) => isBlank(args[name]) && args['runbook'] === undefined;
  if (target === 'clean' && empty('clean_steps'))
    throw badRequest('Missing mandatory parameter: clean_steps for the target clean.');
  if (target === 'service' && empty('service_steps'))
    throw badRequest('Missing mandatory parameter: service_steps for the target service.');
  if (target === 'rescue' && String(args['rescue_password'] ?? '').trim() === '')
    throw badRequest('Missing mandatory parameter: rescue_password for the target rescue.');
}

/** Steps that the settings refuse, by interface and name. */
export function checkAllowed(named: Readonly<Record<string, unknown>>, settings: Settings): void {
  for (const name of steps) {
    const refused: readonly string[] = settings.api[`disallow_${name}`];
    const listed = Array.isArray(named[name]) ? (named[name] as { interface: string; step: string }[]) : [];
    const found = listed.map(stepName).find((one) => refused.includes(one));
    if (found !== undefined) throw badRequest(`The step ${found} is not allowed in ${name} ([api] disallow_${name}).`);
  }
}

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

function only(args: JsonObject, name: string, targets: readonly string[], target: string): void {
  if (args[name] === undefined || targets.includes(target)) return;
  throw badRequest(`The argument ${name} is only valid with the target ${targets.join(' or ')}, not with ${target}.`);
}

function checkRamdisk(target: string, minor: number): void {
  const { cleanDisableRamdisk, serviceDisableRamdisk } = argumentGates;
  const gate = target === 'clean' ? cleanDisableRamdisk : target === 'service' ? serviceDisableRamdisk : undefined;
  if (!gate) throw badRequest(`The argument disable_ramdisk is not valid with the target ${target}.`);
  checkGate(minor, gate);
}

const driveKeys: ReadonlySet<string> = new Set(['meta_data', 'network_data', 'user_data', 'vendor_data']);

function checkConfigdrive(target: string, drive: unknown, minor: number): void {
  if (target === 'rebuild') checkGate(minor, argumentGates.configdriveRebuild);
  else if (target !== 'active') throw badRequest(`The argument configdrive is not valid with the target ${target}.`);
  if (typeof drive === 'string') {
    if (drive.includes('://') || /^[A-Za-z0-9+/=\s]*$/.test(drive)) return;
    throw badRequest('Invalid configdrive: neither a URL nor base64.');
  }
  checkGate(minor, argumentGates.configdriveObject);
  for (const key of Object.keys(drive as object)) {
    if (key === 'vendor_data') checkGate(minor, argumentGates.configdriveVendorData);
    if (!driveKeys.has(key)) throw badRequest(`Invalid configdrive: unexpected key ${key}.`);
  }
}
