import { cutText } from '@lib/contracts';
import type { NodeEvent } from '@lib/domain';
import type { Logger } from '@lib/ports';
import type { TaskResult } from './run-task';

const WARNINGS_SHOWN_MAX = 50;
/** Names in them are a machine's own. */
const WARNING_CHARS_MAX = 255;

const shown = (warnings: readonly string[]): readonly string[] =>
  warnings.slice(0, WARNINGS_SHOWN_MAX).map((text) => cutText(text, WARNING_CHARS_MAX));

/** What an effect brought, with what is to be told of it in its event. */
export const valueWithWarnings = ({ value, warnings = [] }: TaskResult): TaskResult['value'] =>
  warnings.length > 0 ? { ...value, warnings: shown(warnings) } : value;

/** What an operator is to know of an effect that went well. */
export function warnOf(uuid: string, events: readonly NodeEvent[], result: TaskResult | null, logger: Logger): void {
  const { warnings = [] } = result ?? {};
  if (warnings.length > 0) {
    const fields = { node: uuid, warnings: shown(warnings), count: warnings.length };
    logger.warn(fields, 'inspection data is odd');
  }
  for (const event of events) {
    if (event.type !== 'InspectionWaiting' || !event.data.deprecatedReturn) continue;
    const fields = { node: uuid, attempt: event.data.attempt, interface: result?.value.interfaceName };
    logger.warn(
      fields,
      'the inspect interface returned INSPECTING, which is deprecated: a future release will turn this into inspect failed; return INSPECTWAIT',
    );
  }
}
