import type { Document } from './document';

export interface Answer {
  readonly status: number;
  readonly body?: Document;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly method: string;
  /** Without a slash at its end. */
  readonly path: string;
  readonly body: Document;
}

export const errorBody = (message: string, messageId = 'Base.1.0.GeneralError'): Document => ({
  error: {
    code: messageId,
    message,
    '@Message.ExtendedInfo': [{ MessageId: messageId, Message: message }],
  },
});

export const refused = (status: number, message: string, messageId?: string): Answer => ({
  status,
  body: errorBody(message, messageId),
});
