import type { NodeFields } from './fields';
import type { PowerLookEvent } from './power-events';
import type { Node } from './state';

/** The reason of a failed inspection is only ever extended (contract: inspection.md §3.1). */
const lastErrorOf = ({ provisionState, lastError }: Node, error: string): string =>
  provisionState === 'inspect failed' && lastError !== null ? `${lastError} Also: ${error}` : error;

/**
 * Maintenance that an operator asks for is the operator's to end: without its fault, no answer of the machine ends it. Other
 * faults end nothing by themselves, and stay.
 */
export const maintainedByHand = (fields: NodeFields, reason: string | null): NodeFields => ({
  ...fields,
  maintenance: true,
  maintenance_reason: reason,
  fault: fields.fault === 'power failure' ? null : fields.fault,
});

export function evolvePowerLook(node: Node, event: PowerLookEvent): Node {
  switch (event.type) {
    case 'PowerStateSeen':
      return { ...node, powerState: event.data.powerState };
    case 'PowerControlLost': {
      const { error } = event.data;
      const fields = { ...node.fields, maintenance: true, maintenance_reason: error, fault: 'power failure' };
      return { ...node, fields, powerState: null, lastError: lastErrorOf(node, error) };
    }
    case 'PowerControlRegained': {
      const fields = { ...node.fields, maintenance: false, maintenance_reason: null, fault: null };
      return { ...node, fields, powerState: event.data.powerState };
    }
  }
}
