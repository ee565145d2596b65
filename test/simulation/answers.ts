import type { Command } from '@lib/contracts';
import type { RecordedEvent } from '@lib/ports';
import type { Ended } from './sender';

/** Accepted, these always leave events; the others may find that nothing has to change. */
function alwaysWrites(command: Command): boolean {
  switch (command.type) {
    case 'LookUpNode':
    case 'RecordHeartbeat':
    case 'PatchResource':
    case 'ValidateNode':
    case 'ReadBootDevice':
    case 'ListBootDevices':
    case 'AskMachine':
    case 'SetTargetRaid':
      return false;
    case 'ChangeDeadline':
      return command.change.kind === 'extend' || command.change.kind === 'move';
    case 'PatchNode':
      return command.patch.some(({ path }) => path === '/extra/n');
    default:
      return true;
  }
}

const isIntent = ({ type }: RecordedEvent): boolean =>
  ['InspectionAbortRequested', 'BootDeviceChangeRequested', 'ManagementRequested'].includes(type);

/** What is asked for with a reason is written down with it. */
function keepsReason(command: Command, events: readonly RecordedEvent[]): boolean {
  const { reason = null } = command.type === 'Provision' || command.type === 'ChangeDeadline' ? command : {};
  const told = events.map(({ data }) => (JSON.parse(data) as { readonly reason?: unknown }).reason);
  return reason === null || events.length === 0 || told.includes(reason);
}

/** What is wrong with an answer, seeing what its command wrote; null when nothing is (architecture, rules 1 and 9). */
export function wrongAnswer({ command, answer, isPlain }: Ended, events: readonly RecordedEvent[]): string | null {
  if (answer === null) return null;
  if (answer.ok) {
    if (alwaysWrites(command) && events.length === 0) return 'was accepted and is not in the log';
    return keepsReason(command, events) ? null : 'was accepted and its reason is not in the log';
  }
  if (answer.code === 'INTERNAL') return `met a bug: ${answer.message}`;
  // A copy that arrives later than the refusal may still be carried out: the refusal could not know of it.
  if (!isPlain || events.length === 0 || answer.message.includes('unknown')) return null;
  // The second append, the peer's word, is what the refusal tells of.
  if (events.some(isIntent) && answer.code !== 'UNAVAILABLE') return null;
  return `was refused (${answer.code} ${answer.message}) and wrote ${events.map(({ type }) => type).join(', ')}`;
}
