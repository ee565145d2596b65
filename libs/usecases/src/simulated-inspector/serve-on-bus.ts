import {
  decode,
  encode,
  type InspectorReply,
  type InspectorRequest,
  INSPECTOR_QUEUE,
  type InspectorWord,
  subjects,
} from '@lib/contracts';
import { isObject } from '@lib/domain/introspection';
import type { BusSubscription, Logger, MessageBus } from '@lib/ports';
import { errorBody } from './answers';
import type { SimulatedInspector } from './simulated-inspector';

/** A start may name the asker's attempt, so that the same start sent twice reboots the machine once. */
type Request = InspectorRequest & { readonly attempt?: number };

const words: Readonly<Record<InspectorWord, (inspector: SimulatedInspector, ask: Request) => Promise<InspectorReply>>> =
  {
    start: (inspector, { node, manageBoot, attempt }) =>
      inspector.start('bus', node, { manageBoot: manageBoot ?? true, ...(attempt === undefined ? {} : { attempt }) }),
    abort: (inspector, { node }) => inspector.abort('bus', node),
    status: (inspector, { node }) => inspector.status('bus', node),
    data: (inspector, { node }) => inspector.data('bus', node, 'processed'),
    // The inspector finds the node by itself, as it does for a ramdisk.
    continue: (inspector, { data }) => inspector.continue('bus', data),
  };

const read = (body: Uint8Array): Request | null => {
  try {
    const ask = decode<unknown>(body);
    return isObject(ask) && typeof ask['node'] === 'string' ? (ask as unknown as Request) : null;
  } catch {
    return null;
  }
};

/** Serves the inspector's words on the bus: the same semantics as the REST calls, `status` being the HTTP status. */
export const serveInspectorOnBus = async (
  bus: MessageBus,
  prefix: string,
  inspector: SimulatedInspector,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> => {
  const serve = ([word, answer]: [string, (typeof words)[InspectorWord]]): Promise<BusSubscription> =>
    bus.serve(
      subjects.inspector(prefix, word as InspectorWord),
      INSPECTOR_QUEUE,
      async ({ body }) => {
        const ask = read(body);
        return encode(
          ask ? await answer(inspector, ask) : { status: 400, body: errorBody('A request names its node') },
        );
      },
      (error, subject) => logger.warn({ subject, error: String(error) }, 'A request to the inspector got no answer'),
    );
  const subscriptions = await Promise.all(Object.entries(words).map(serve));
  return {
    stop: async () => {
      await Promise.all(subscriptions.map((subscription) => subscription.stop()));
    },
  };
};
