import type { InspectorReply } from '@lib/contracts';
import { InspectorRefusal, type InspectorRefusalCode } from '@lib/domain/introspection';
import type { Logger } from '@lib/ports';
import { ScriptedAnswer } from './scripted-answer';

const statuses: Readonly<Record<InspectorRefusalCode, number>> = {
  NOT_FOUND: 404,
  INVALID: 400,
  LOCKED: 409,
  DUPLICATE: 409,
};

export const errorBody = (message: string): { error: { message: string } } => ({ error: { message } });

/** A refusal as the inspector words it over HTTP and over the bus; null: the script wants silence. */
export const answerOf = (error: unknown, logger: Logger): InspectorReply | null => {
  if (error instanceof InspectorRefusal) return { status: statuses[error.code], body: errorBody(error.message) };
  if (error instanceof ScriptedAnswer) {
    return error.status === 'none' ? null : { status: error.status, body: errorBody(error.message) };
  }
  logger.error(
    { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    'The inspector failed',
  );
  return { status: 500, body: errorBody('The inspector met an internal error') };
};
