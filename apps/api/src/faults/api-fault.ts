/**
 * An answer that is an error, in one of the contract's two forms.
 * contract: errors-and-negotiation.md §5
 */
export type FaultForm =
  /** From code that knows the resource: faultcode, faultstring, debuginfo; version headers present. */
  | 'resource'
  /** From routing: code, title, description; version headers absent. */
  | 'router'
  /** From the limits on bodies: not wrapped in `error_message`. */
  | 'bare';

export class ApiFault extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly form: FaultForm = 'resource',
    /** Methods for the Allow header of a 405. */
    readonly allow: readonly string[] = [],
  ) {
    super(message);
    this.name = 'ApiFault';
  }
}

export const badRequest = (text: string): ApiFault => new ApiFault(400, text);
export const notFound = (text: string): ApiFault => new ApiFault(404, text);
export const notAcceptable = (text: string): ApiFault => new ApiFault(406, text);

/** A field, filter, verb or argument that the request's version does not know. */
export const tooNew = (what: string, min: number): ApiFault =>
  notAcceptable(
    `Request not acceptable: ${what} needs another API version. The minimal required API version should be 1.${min}.`,
  );

export const unknownPath = (): ApiFault => new ApiFault(404, '', 'router');
export const methodNotAllowed = (allow: readonly string[]): ApiFault => new ApiFault(405, '', 'router', allow);
