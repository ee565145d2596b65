import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { NodeStream } from '../state';
import { cleanUpAfter } from './clean-up';
import { inspectionFound } from './inspected';

/**
 * The inspector says that an introspection has ended (contract: inspection.md §9.5). Counts only for the open attempt in
 * `inspect wait`, while nobody holds the node, and when it is not older than the attempt; else it is asked again later.
 */
export function decideReport(
  command: Extract<NodeCommand, { type: 'ReportIntrospection' }>,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  const node = stream.node;
  const attempt = node?.inspection?.attempt;
  if (!node?.inspection || attempt !== command.attempt || node.provisionState !== 'inspect wait') return [];
  if (node.reservation || command.startedAt < node.inspection.begunAt) return [];
  const at = context.now;
  if (command.error) {
    const error = `ironic-inspector inspection failed: ${command.error}`;
    const cleanUp = cleanUpAfter('failed', command.inspect, node, stream, context);
    return [{ type: 'InspectionFailed', data: { at, attempt, effect: null, error, history: false, cleanUp } }];
  }
  return [inspectionFound({ effect: null, inventory: command.inventory }, command.inspect, node, stream, context)];
}
