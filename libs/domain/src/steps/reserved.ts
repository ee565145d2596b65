import type { PowerTarget } from '../states';
import { stepName } from './order';

interface Step {
  readonly interface: string;
  readonly step: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** What a step asks for that no interface is needed for. */
export type ReservedStep =
  | { readonly does: 'hold' }
  /** Null: until the ramdisk calls back. */
  | { readonly does: 'wait'; readonly seconds: number | null }
  | { readonly does: 'power'; readonly target: PowerTarget };

const powerTargets: Readonly<Record<string, PowerTarget>> = {
  power_on: 'power on',
  power_off: 'power off',
  reboot: 'rebooting',
};

/** A day: a longer pause would keep the node from everybody for a slip of the pen. */
const PAUSE_SECONDS_MAX = 86_400;

/** Names that mean the same for every interface; null for a step of an interface itself. */
export function reservedStep({ step, args }: Step): ReservedStep | null {
  if (step === 'hold') return { does: 'hold' };
  if (step === 'wait') return { does: 'wait', seconds: secondsIn(args) };
  const target = Object.hasOwn(powerTargets, step) ? powerTargets[step] : undefined;
  return target ? { does: 'power', target } : null;
}

const secondsIn = (args: Step['args']): number | null =>
  args?.['seconds'] === undefined ? null : Number(args['seconds']);

/** What is wrong with the arguments of a reserved step; null when nothing is, or it is none. */
export function reservedStepProblem(step: Step): string | null {
  const seconds = step.step === 'wait' ? step.args?.['seconds'] : undefined;
  if (seconds === undefined) return null;
  const text = typeof seconds === 'string' ? seconds.trim() : seconds;
  const isGood = (typeof text === 'number' || (typeof text === 'string' && text !== '')) && isPause(Number(text));
  return isGood ? null : `args/seconds of the step ${stepName(step)} must be a number from 0 to ${PAUSE_SECONDS_MAX}`;
}

const isPause = (seconds: number): boolean => seconds >= 0 && seconds <= PAUSE_SECONDS_MAX;
