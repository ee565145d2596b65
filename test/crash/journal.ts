/** What a request asks for. */
export const ASKED = ['create', 'port', 'manage', 'inspect', 'abort', 'maintenance', 'delete'] as const;
export type Asked = (typeof ASKED)[number];

/** One request and what came back. */
export interface Entry {
  readonly node: string;
  readonly asked: Asked;
  /** From 1: a careful client asks again. */
  readonly tried: number;
  /** 0: no answer, the connection broke or none came about. */
  readonly status: number;
  /** `x-openstack-request-id`; null without an answer. */
  readonly requestId: string | null;
  readonly text: string;
  readonly ms: number;
}

/** What one client saw of one wish in all: the last answer, or none that was worth anything in all its patience. */
export interface Wish {
  readonly node: string;
  readonly asked: Asked;
  readonly outcome: 'accepted' | 'refused' | 'given up';
}

/** Everything that clients asked and heard in a round. */
export class Journal {
  readonly entries: Entry[] = [];
  readonly wishes: Wish[] = [];
}
