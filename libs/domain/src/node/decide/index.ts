import { unreachable } from '../../refusal';
import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { NodeStream } from '../state';
import { decideAllocate, decideRelease } from './allocate';
import { decideDeadlineChange } from './change-deadline';
import { decideHeartbeat, decideLookUp } from './contact';
import { decideDiscover } from './discover';
import { decideEffectEnd } from './effect-end';
import { decideEnroll, decideRemove } from './life';
import { decideElapsed } from './elapse';
import { decideInterrupt } from './interrupt';
import { decideMaintenance } from './maintenance';
import { decideManage, decideTargetRaid } from './manage';
import { decideBootDevice, decidePower } from './power';
import { decidePowerLook } from './power-look';
import { decideProvision } from './provision';
import { decideKeepRefused, decidePromote } from './refused-data';
import { decideReprocess } from './with-data';
import { decideReport } from './report';
import { decideContinue } from './resume';
import { withRetry } from './retry';
import { decideTraits } from './traits';
import { decideUpdate } from './update';

/**
 * The node's rules: what a command makes of a node, as events, or a Refusal. Pure: time, host and settings are in `context`.
 * A command whose matter is settled decides nothing.
 */
export const decide = (command: NodeCommand, stream: NodeStream, context: Context): readonly NodeEvent[] =>
  command.type === 'Elapse'
    ? decideElapsed(command, stream, context).events
    : withRetry(decided(command, stream, context), stream, context);

function decided(
  command: Exclude<NodeCommand, { type: 'Elapse' }>,
  stream: NodeStream,
  context: Context,
): readonly NodeEvent[] {
  switch (command.type) {
    case 'Enroll':
      return decideEnroll(command, stream, context);
    case 'Discover':
      return decideDiscover(command, stream, context);
    case 'Update':
      return decideUpdate(command, stream, context);
    case 'Remove':
      return decideRemove(stream, context);
    case 'SetMaintenance':
    case 'ClearMaintenance':
      return decideMaintenance(command, stream, context);
    case 'NotePower':
      return decidePowerLook(command, stream, context);
    case 'Allocate':
      return decideAllocate(command, stream, context);
    case 'ReleaseAllocation':
      return decideRelease(stream, context);
    case 'ChangeTraits':
      return decideTraits(command, stream, context);
    case 'Provision':
      return decideProvision(command, stream, context);
    case 'ChangePower':
      return decidePower(command, stream, context);
    case 'SetBootDevice':
      return decideBootDevice(command, stream, context);
    case 'Manage':
      return decideManage(command, stream, context);
    case 'SetTargetRaid':
      return decideTargetRaid(command, stream, context);
    case 'EndEffect':
      return decideEffectEnd(command, stream, context);
    case 'ReportIntrospection':
      return decideReport(command, stream, context);
    case 'LookUp':
      return decideLookUp(command, stream, context);
    case 'Heartbeat':
      return decideHeartbeat(command, stream, context);
    case 'ContinueInspection':
      return decideContinue(command, stream, context);
    case 'Interrupt':
      return decideInterrupt(command, stream, context);
    case 'ChangeDeadline':
      return decideDeadlineChange(command, stream, context);
    case 'KeepRefused':
      return decideKeepRefused(command, stream, context);
    case 'PromoteRefused':
      return decidePromote(command, stream, context);
    case 'ReprocessData':
      return decideReprocess(command, stream, context);
    default:
      return unreachable(command);
  }
}

export { decideElapsed } from './elapse';
export type { ElapseAnswer } from './elapse';
