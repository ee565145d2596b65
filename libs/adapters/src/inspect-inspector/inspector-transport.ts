import type { InspectorReply, InspectorRequest, InspectorWord } from '@lib/contracts';

/**
 * Why there is no answer that can be read of a call which was sent: the inspector may have taken it all the same. By its name people
 * read the text as the reason, and not as a bug of ours.
 */
export class AnswerLost extends Error {
  override readonly name = 'HardwareError';
}

/** How calls reach an inspector: over the message bus (ours) or over HTTP (a real one). The words mean the same on both. */
export interface InspectorTransport {
  /**
   * One call. Rejects, with a text fit for `last_error`, when there is no answer in time. A call that is given up by its
   * signal rejects too; the inspector may have taken it all the same.
   * @throws AnswerLost where the call was sent
   */
  ask(word: InspectorWord, request: InspectorRequest, signal: AbortSignal): Promise<InspectorReply>;
}
