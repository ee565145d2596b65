/** Version gates of arguments. contract: microversions.json (which status is the answer below each) */
import type { ArgumentGate } from '@lib/contracts';
import { badRequest, tooNew, type ApiFault } from '../faults';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const knows = (minor: number, { min }: ArgumentGate): boolean => minor >= min;

const belowGate = ({ below, what, min }: ArgumentGate): ApiFault =>
  below === 406
    ? tooNew(what, min)
    : badRequest(`${capital(what)} was not expected: it is known from API version 1.${min} on.`);

/** Throws the answer to what a request's version does not know. */
export function checkGate(minor: number, gate: ArgumentGate): void {
  if (!knows(minor, gate)) throw belowGate(gate);
}
