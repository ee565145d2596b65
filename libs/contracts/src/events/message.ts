/** A published event, as subscribers get it; docs/subscribing.md says what they can rely on. */
export interface EventMessage {
  /** Another one means another log: positions of the two have nothing to do with each other. */
  readonly logId: string;
  /** Order over all resources; rises from message to message. */
  readonly position: number;
  /** `node/<uuid>`, `port/<uuid>`. */
  readonly stream: string;
  /** Order in the stream, from 1. */
  readonly version: number;
  /** One of `EventType`; a later release may publish more. */
  readonly type: string;
  readonly schema: number;
  /** Absent where `dataref` stands. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** In place of data that is too large to publish: where in the log it stands. */
  readonly dataref?: { readonly position: number };
  /** Who asked, when and why. */
  readonly meta: {
    readonly commandId: string;
    readonly requestId: string | null;
    /** The id that the request has at the service which it comes from; absent without one. */
    readonly globalRequestId?: string;
    readonly actor: string | null;
    readonly source: string;
    /** Epoch ms. */
    readonly at: number;
    readonly causation: string | null;
  };
  /** Epoch ms; never decreases along position. */
  readonly recordedAt: number;
}

/** Whether a message of the stream is one of ours; a subscriber must not trip over what somebody else put there. */
export function isEventMessage(value: unknown): value is EventMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { logId, position, stream, type } = value as Partial<Record<keyof EventMessage, unknown>>;
  return Number.isInteger(position) && [logId, stream, type].every((text) => typeof text === 'string');
}
