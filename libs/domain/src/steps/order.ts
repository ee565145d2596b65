interface Named {
  readonly interface: string;
  readonly step: string;
}

export interface Ordered extends Named {
  readonly order?: number | string;
}

export interface Prioritised extends Named {
  readonly priority?: number | string;
}

/** A step as it is spoken of, and by which two of them are the same. */
export const stepName = ({ interface: by, step }: Named): string => `${by}.${step}`;

/** As written, unless every step says its place; equal places keep the order as written. */
export function stepsInOrder<Step extends Ordered>(steps: readonly Step[]): readonly Step[] {
  if (steps.some(({ order }) => order === undefined)) return steps;
  return [...steps].sort((a, b) => Number(a.order) - Number(b.order));
}

/**
 * Steps of a deployment, or of a cleaning that nobody wrote steps for: what comes with the request goes before what a template says, and that before the interface's own
 * word on the same step. The highest priority comes first; with 0 a step is left out.
 */
export function deploySteps<Step extends Prioritised>(...sources: readonly (readonly Step[])[]): readonly Step[] {
  const chosen = new Map<string, Step>();
  for (const step of sources.flat()) if (!chosen.has(stepName(step))) chosen.set(stepName(step), step);
  const priority = (step: Step): number => Number(step.priority ?? 0);
  return [...chosen.values()].filter((step) => priority(step) > 0).sort((a, b) => priority(b) - priority(a));
}
