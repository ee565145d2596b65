/**
 * Bodies that are refused before anything reads them. Only JSON is limited, with any method.
 * contract: errors-and-negotiation.md §7
 */
import type { Settings } from '@lib/contracts/settings';
import { ApiFault } from '../faults';

const KIB = 1024;

/** The largest JSON body in bytes that this path takes. */
export function bodyBytesMax(path: string, api: Settings['api']): number {
  if (/\/states\/provision\/?$/.test(path)) return api.max_json_body_size_provision * KIB;
  if (/\/continue_inspection\/?$/.test(path)) return api.max_json_body_size_inspection * KIB;
  return api.max_json_body_size * KIB;
}

export const isJson = (contentType: string | undefined): boolean => /json/i.test(contentType ?? '');

export function tooLarge(bytesMax: number): ApiFault {
  return new ApiFault(413, `The request body is larger than ${bytesMax} bytes.`, 'bare');
}

/** Refuses nesting of brackets outside strings that is deeper than `depthMax`. Looks at bytes: nothing is parsed. */
export function checkDepth(body: Uint8Array, depthMax: number): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === BRACE || byte === BRACKET) {
      depth += 1;
      if (depth > depthMax)
        throw new ApiFault(400, `The request body is nested deeper than ${depthMax} levels.`, 'bare');
    } else if (byte === BRACE_END || byte === BRACKET_END) depth -= 1;
  }
}

const [QUOTE, BACKSLASH, BRACE, BRACE_END, BRACKET, BRACKET_END] = [...'"\\{}[]'].map((one) => one.charCodeAt(0));
