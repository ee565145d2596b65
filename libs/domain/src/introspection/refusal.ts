/** Why the inspector says no. Codes only; `answers` in the use case maps them to the statuses of inspector-api.md §3. */
export type InspectorRefusalCode =
  /** Not in the cache, or unknown to the Bare Metal API: 404. */
  | 'NOT_FOUND'
  /** Bad input, wrong state or a failing run: the inspector's domain errors are 400. */
  | 'INVALID'
  /** Another job holds the node: 409, try later. */
  | 'LOCKED'
  /** The uuid is taken: 409. */
  | 'DUPLICATE';

export class InspectorRefusal extends Error {
  constructor(
    readonly code: InspectorRefusalCode,
    message: string,
  ) {
    super(message);
    this.name = 'InspectorRefusal';
  }
}

export const invalid = (message: string): InspectorRefusal => new InspectorRefusal('INVALID', message);
export const notFound = (message: string): InspectorRefusal => new InspectorRefusal('NOT_FOUND', message);
