import type { PlannedNode } from './plan';
import type { WatchedNode } from './watched-node';

/** What a node is to go through: `never, abort at 4 s`. */
export function scriptText({ script: { script }, abortMs, timeoutMs, expected }: PlannedNode): string {
  if (abortMs !== null) return `${script}${script.endsWith('-abort') ? '' : ', abort'} at ${abortMs / 1000} s`;
  return expected.ending === 'timed out' ? `${script}, timeout ${timeoutMs / 1000} s` : script;
}

/** How it ended, short enough for a table; where that is not as scripted, what differs. */
export function verdictText(node: WatchedNode): string {
  const { differences, planned } = node;
  if (differences && differences.length > 0) return `NOT AS SCRIPTED: ${differences.join('; ')}`;
  const power = planned.expected.power === 'power off' ? 'powered off' : 'left on';
  return [...abortText(node), endingText(node), power, ...callbackText(node)].join(', ');
}

function endingText({ planned, settled }: WatchedNode): string {
  const { ending } = planned.expected;
  if (ending !== 'failed by the ramdisk') return ending;
  return `failed: ${settled?.got.error?.replace(/^.*?inspection failed: /, '') ?? ''}`;
}

const abortText = ({ abortAnswer }: WatchedNode): string[] =>
  abortAnswer !== null && abortAnswer >= 400 ? [`abort refused (${abortAnswer})`] : [];

/** Posts that were refused, or came when the state could not be changed any more. */
function callbackText({ planned, callbacks }: WatchedNode): string[] {
  const isRefused = (status: number | null): boolean => status === null || status >= 400;
  switch (planned.expected.ending) {
    case 'inspected':
      return callbacks
        .slice(1)
        .filter(({ status }) => isRefused(status))
        .map(({ status }) => `duplicate refused (${status})`);
    case 'failed by the ramdisk':
      return [];
    default:
      return callbacks.map(({ status }) =>
        isRefused(status) ? `late data refused (${status})` : 'late data: state kept',
      );
  }
}
