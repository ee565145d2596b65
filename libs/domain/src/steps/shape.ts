/** The shape of steps (contract: node-api.md §10; other-resources.md §11-12). */
import { reservedStepProblem } from './reserved';

type Check = (value: unknown) => string | null;

const steppable: readonly string[] = ['vendor', 'power', 'management', 'firmware', 'deploy', 'bios', 'raid'];

const uuidLike = /^[0-9a-fA-F-]{32,36}$/;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const count: Check = (value) => {
  const whole = typeof value === 'number' ? Number.isInteger(value) && value >= 0 : /^[0-9]+$/.test(String(value));
  return whole && (typeof value === 'number' || typeof value === 'string') ? null : 'must be a whole number from 0 on';
};

const named: Record<string, Check> = {
  interface: (value) =>
    typeof value === 'string' && steppable.includes(value) ? null : `must be one of ${steppable.join(', ')}`,
  step: (value) => (typeof value === 'string' && value.length > 0 ? null : 'must be a text that is not empty'),
  args: (value) => (isObject(value) ? null : 'must be an object'),
  order: count,
  priority: count,
  execute_on_child_nodes: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  limit_child_node_execution: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && uuidLike.test(one))
      ? null
      : 'must be a list of UUIDs',
};

interface StepShape {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const orderly: StepShape = {
  required: ['interface', 'step'],
  optional: ['args', 'order', 'execute_on_child_nodes', 'limit_child_node_execution'],
};

export type StepsKind = 'clean_steps' | 'service_steps' | 'deploy_steps' | 'runbook';

const shapes: Readonly<Record<StepsKind, StepShape>> = {
  clean_steps: orderly,
  service_steps: orderly,
  deploy_steps: { required: ['interface', 'step', 'args', 'priority'], optional: [] },
  runbook: { required: ['interface', 'step', 'order'], optional: ['args'] },
};

function stepProblem(value: unknown, { required, optional }: StepShape): string | null {
  if (!isObject(value)) return ': a step is an object';
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) return `: ${missing} is missing`;
  const foreign = Object.keys(value).find((name) => !required.includes(name) && !optional.includes(name));
  if (foreign !== undefined) return `: unknown key ${foreign}`;
  for (const [name, inner] of Object.entries(value)) {
    const problem = named[name]?.(inner) ?? null;
    if (problem !== null) return `/${name} ${problem}`;
  }
  const reserved = reservedStepProblem(value as { interface: string; step: string });
  return reserved === null ? null : `: ${reserved}`;
}

/** What is wrong with a list of steps, beginning with the place; null when nothing is. */
export function stepsProblem(kind: StepsKind, value: unknown): string | null {
  if (!Array.isArray(value)) return ' must be a list';
  for (const [index, step] of value.entries()) {
    const problem = stepProblem(step, shapes[kind]);
    if (problem !== null) return `/${index}${problem}`;
  }
  return null;
}

/** The first step whose interface and name are those of an earlier one, as `interface.step`. */
export function repeatedStep(steps: readonly { readonly interface: string; readonly step: string }[]): string | null {
  const seen = new Set<string>();
  for (const step of steps) {
    const name = `${step.interface}.${step.step}`;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}
