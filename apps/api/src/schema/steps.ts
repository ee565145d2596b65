/** Steps of cleaning, deployment and service. contract: node-api.md §10 */
import { stepsProblem, type StepsKind } from '@lib/domain';
import { badRequest } from '../faults';

export type StepsName = Exclude<StepsKind, 'runbook'>;

export function checkSteps(name: StepsName, value: unknown): void {
  if (value === null) return;
  const problem = stepsProblem(name, value);
  if (problem !== null) throw badRequest(`Schema error for ${name}${problem}.`);
}
