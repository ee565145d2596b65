import type { InspectorReply, InspectorRequest, InspectorWord } from '@lib/contracts';

/** How calls reach an inspector: over the message bus (ours) or over HTTP (a real one). The words mean the same on both. */
export interface InspectorTransport {
  /**
   * One call. Rejects, with a text fit for `last_error`, when there is no answer in time. A call that is given up by its
   * signal rejects too; the inspector may have taken it all the same.
   */
  ask(word: InspectorWord, request: InspectorRequest, signal: AbortSignal): Promise<InspectorReply>;
}
