import type { NodeEvent } from '@lib/domain';

/** Endings, and beginnings: an abort that was asked for before is not asked for any more. */
const overWith: readonly NodeEvent['type'][] = [
  'InspectionStarted',
  'InspectionFinished',
  'InspectionFailed',
  'InspectionTimedOut',
  'InspectionAborted',
  'InspectionAbortRefused',
  'InspectionRemoved',
  'WorkStarted',
  'WorkFinished',
  'WorkFailed',
  'WorkTimedOut',
  'WorkAborted',
  'WorkInterrupted',
  'NodeRemoved',
];

/** Follows the reasons that came with the aborts of one node, from the request to the ending. */
export class AbortReasons {
  /** Of the abort that was accepted and has not taken effect; null: there is none. */
  private asked: { readonly reason: string | undefined } | null = null;

  /** What is wrong with an event: an abort that takes effect tells why it was asked for, in its text, too. */
  heard(event: NodeEvent): string | null {
    const wrong = this.wrong(event);
    if (event.type === 'InspectionAbortRequested') this.asked = { reason: event.data.reason };
    // Asked for again without a reason, it keeps the one that it has.
    else if (event.type === 'WorkAbortPostponed') this.asked = { reason: event.data.reason ?? this.asked?.reason };
    else if (overWith.includes(event.type)) this.asked = null;
    return wrong;
  }

  private wrong({ type, data }: NodeEvent): string | null {
    if (type !== 'InspectionAborted' && type !== 'WorkAborted') return null;
    const { reason, error } = data;
    if (type === 'InspectionAborted' && !this.asked) return 'InspectionAborted was never asked for';
    if (this.asked && this.asked.reason !== reason)
      return `${type} tells "${reason}", asked was "${this.asked.reason}"`;
    return reason === undefined || error.endsWith(`: ${reason}`) ? null : `"${error}" does not end with "${reason}"`;
  }
}
