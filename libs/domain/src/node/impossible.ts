import type { NodeEvent } from './events';

/** An impossible step in the log is a bug, not a refusal. */
export const impossible = (event: NodeEvent): never => {
  throw new Error(`${event.type} cannot follow here`);
};
