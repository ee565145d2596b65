import { BusError } from '@lib/ports';
import type { BusRequest, Clock, MessageBus } from '@lib/ports';
import type { Fate } from './fate';
import type { Process, Weather } from './process';

const LOST = 0.02;
const REPLY_LOST = 0.02;
const DOUBLED = 0.03;
const DELAYED = 0.15;
const HINT_LOST = 0.3;
const LATE_MS = 400;
/** Later than the one who sent it waits. */
const VERY_LATE_MS = 45_000;

interface BusParts {
  readonly hub: MessageBus;
  readonly world: Clock;
  readonly fate: Fate;
  readonly weather: Weather;
  /** Told of bodies that were, or will be, delivered more than once or after their sender gave up. */
  readonly strayed: (body: Uint8Array) => void;
}

/** A process's door to a bus that loses, doubles, delays and so reorders what it carries. */
export function faultyBus(process: Process, parts: BusParts): MessageBus {
  const { hub, world, fate, weather, strayed } = parts;
  const pause = (ms: number) => new Promise<void>((resolve) => world.after(ms, resolve));
  const delay = (): number =>
    fate.happens(DELAYED) ? fate.between(1, fate.happens(0.05) ? VERY_LATE_MS : LATE_MS) : 0;
  const silence = async (timeoutMs: number): Promise<never> => {
    await pause(timeoutMs);
    throw new BusError('TIMEOUT', `no reply within ${timeoutMs} ms`);
  };

  /** One copy on its way; a delay comes before the broker, so that a later message may overtake it. */
  const carry = async (subject: string, body: Uint8Array, timeoutMs: number): Promise<Uint8Array> => {
    const waitMs = delay();
    if (waitMs > 0) await pause(waitMs);
    return hub.request(subject, body, { timeoutMs });
  };

  const carried = async (subject: string, body: Uint8Array, timeoutMs: number): Promise<Uint8Array> => {
    if (!weather.stormy) return hub.request(subject, body, { timeoutMs });
    if (fate.happens(LOST)) return silence(timeoutMs);
    if (fate.happens(DOUBLED)) {
      strayed(body);
      void carry(subject, body, timeoutMs).catch(() => undefined);
    }
    const isReplyLost = fate.happens(REPLY_LOST);
    if (isReplyLost) strayed(body);
    const reply = carry(subject, body, timeoutMs);
    const timeout = silence(timeoutMs);
    timeout.catch(() => undefined);
    const answered = await Promise.race([reply.finally(() => undefined), timeout]).catch((error: unknown) => {
      strayed(body);
      reply.catch(() => undefined);
      throw error;
    });
    return isReplyLost ? silence(timeoutMs) : answered;
  };

  return {
    request: (subject, body, { timeoutMs }) =>
      process.call('a request', () => carried(subject, new Uint8Array(body), timeoutMs)),
    async serve(subject, queue, handler, onError) {
      const answer = async (request: BusRequest): Promise<Uint8Array> => {
        await process.running();
        const reply = await handler(request);
        await process.running();
        return reply;
      };
      const subscription = await hub.serve(subject, queue, answer, onError);
      process.whenItDies(() => void subscription.stop());
      return subscription;
    },
    hint(subject, body) {
      if (process.isDead || (weather.stormy && fate.happens(HINT_LOST))) return;
      if (weather.stormy && fate.happens(DOUBLED)) world.after(fate.between(1, LATE_MS), () => hub.hint(subject, body));
      hub.hint(subject, body);
    },
    async listen(subject, handler) {
      const subscription = await hub.listen(subject, (hint) => {
        void process.running().then(() => handler(hint));
      });
      process.whenItDies(() => void subscription.stop());
      return subscription;
    },
    connected: () => hub.connected(),
    close: () => Promise.resolve(),
  };
}
