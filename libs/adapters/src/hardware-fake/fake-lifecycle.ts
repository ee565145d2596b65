import type { JsonObject, WorkName, WorkStep } from '@lib/domain';
import type { LifecycleInterface, Machine } from '@lib/ports';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The node's own script: `extra.fake = {"deploy": {"fails": "why"}}` makes the work of that name fail, so that a machine
 * that does nothing can show every ending.
 */
function failureOf({ extra }: Machine, work: WorkName): string | null {
  const script = isObject(extra['fake']) ? extra['fake'][work] : undefined;
  const fails = isObject(script) ? script['fails'] : undefined;
  return typeof fails === 'string' && fails !== '' ? fails : null;
}

/** A step with `"args": {"fails": "why"}` fails, and those after it are not begun. */
function stepFailure(steps: readonly WorkStep[]): string | null {
  const failing = steps.find(({ args }) => typeof args?.['fails'] === 'string' && args['fails'] !== '');
  return failing ? `step ${failing.interface}.${failing.step} failed: ${String(failing.args?.['fails'])}` : null;
}

/** Does at once what it is asked, and touches nothing. */
export const fakeLifecycle = (works: readonly WorkName[]): LifecycleInterface => ({
  works,
  validate: () => null,
  work: async (machine, work, steps, call) => {
    await call.stillStands();
    const failure = failureOf(machine, work) ?? stepFailure(steps);
    if (failure !== null) throw new Error(failure);
    return {};
  },
});

export const fakeDeploy = fakeLifecycle(['clean', 'manual clean', 'deploy', 'tear down', 'adopt', 'service']);
export const fakeRescue = fakeLifecycle(['rescue', 'unrescue']);
