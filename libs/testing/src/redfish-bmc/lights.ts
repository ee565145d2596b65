import type { Document } from './document';
import type { BmcMachine } from './machine';
import type { Answer } from './messages';

/** What a resource says of its light: newer BMCs tell whether it shows where it is, older ones how it shines. */
export const lightOf = (path: string, { lights, locates }: BmcMachine): Document => {
  const now = lights[path] ?? 'Off';
  return locates ? { LocationIndicatorActive: now !== 'Off' } : { IndicatorLED: now };
};

/** Null: it has no such light. */
export function patchLight(path: string, body: Document, document: Document, machine: BmcMachine): Answer | null {
  const [entry] = Object.entries(body);
  if (!entry || !(entry[0] in document)) return null;
  const [name, value] = entry;
  if (name === 'LocationIndicatorActive') machine.lights[path] = value === true ? 'Lit' : 'Off';
  else if (name === 'IndicatorLED') machine.lights[path] = String(value);
  else return null;
  return { status: 204 };
}
