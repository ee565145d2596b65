/** Steps of cleaning, deployment and service. contract: node-api.md §10 */
import Ajv from 'ajv';
import { badRequest } from '../faults';

const steppable = ['vendor', 'power', 'management', 'firmware', 'deploy', 'bios', 'raid'];
const count = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^[0-9]+$' },
  ],
};
const common = { interface: { enum: steppable }, step: { type: 'string', minLength: 1 }, args: { type: 'object' } };

const list = (items: object) => ({ anyOf: [{ type: 'null' }, { type: 'array', items }] });

const cleanStep = {
  type: 'object',
  required: ['interface', 'step'],
  additionalProperties: false,
  properties: {
    ...common,
    order: count,
    execute_on_child_nodes: { type: 'boolean' },
    limit_child_node_execution: { type: 'array', items: { type: 'string', pattern: '^[0-9a-fA-F-]{32,36}$' } },
  },
};

const deployStep = {
  type: 'object',
  required: ['interface', 'step', 'args', 'priority'],
  additionalProperties: false,
  properties: { ...common, priority: count },
};

const ajv = new Ajv({ allowUnionTypes: true });
const validators = {
  clean_steps: ajv.compile(list(cleanStep)),
  service_steps: ajv.compile(list(cleanStep)),
  deploy_steps: ajv.compile(list(deployStep)),
};

export type StepsName = keyof typeof validators;

export function checkSteps(name: StepsName, value: unknown): void {
  const validate = validators[name];
  if (validate(value)) return;
  const error = (validate.errors ?? []).find((one) => one.instancePath !== '') ?? validate.errors?.[0];
  throw badRequest(`Schema error for ${name}${error?.instancePath ?? ''}: ${error?.message ?? 'invalid'}.`);
}
