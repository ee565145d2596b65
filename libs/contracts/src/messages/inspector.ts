import type { JsonObject } from '@lib/domain';

/**
 * The inspector's calls over the bus mirror its REST API (contract: inspector-api.md §3): the reply's `status` is the
 * HTTP status, `body` the JSON body. A peer that is down does not reply.
 */
export interface InspectorRequest {
  readonly node: string;
  /** `start` only; the server's default is true. */
  readonly manageBoot?: boolean;
  /** `start` only: the asker's inspection, so that the same start sent twice begins one introspection. */
  readonly attempt?: number;
  /** `continue` only: what the ramdisk posted, as it would have posted it to the inspector. */
  readonly data?: JsonObject;
}

export interface InspectorReply {
  readonly status: number;
  readonly body: unknown;
}

/** Body of a `status` reply with status 200. Times are UTC ISO 8601 without zone, as the REST API gives them. */
export interface IntrospectionStatus {
  readonly uuid: string;
  readonly finished: boolean;
  readonly state: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly error: string | null;
}
