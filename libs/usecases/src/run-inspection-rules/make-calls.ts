import { urlWithoutCredentials } from '@lib/domain';
import type { ApiCall } from '@lib/domain';
import type { Call, Clock, OutgoingHttp } from '@lib/ports';

export interface CallDeps {
  readonly outgoing: OutgoingHttp;
  readonly clock: Clock;
}

const PAUSE_SECONDS_MAX = 120;

type Answer = { readonly done: true } | { readonly done: false; readonly problem: string; readonly again: boolean };

async function tried(
  { url, headers, proxies, timeoutMs }: ApiCall,
  call: Call,
  outgoing: OutgoingHttp,
): Promise<Answer> {
  const proxy = proxies[new URL(url).protocol.slice(0, -1)] ?? null;
  try {
    const status = await outgoing.get({ url, headers, proxy, timeoutMs }, call.signal);
    if (status >= 200 && status < 300) return { done: true };
    return { done: false, problem: `it answered ${status}`, again: status >= 500 };
  } catch (error) {
    return { done: false, problem: (error as Error).message, again: !call.signal.aborted };
  }
}

const pause = (seconds: number, clock: Clock): Promise<void> =>
  new Promise((resolve) => void clock.after(Math.min(seconds, PAUSE_SECONDS_MAX) * 1000, resolve));

async function made(one: ApiCall, call: Call, { outgoing, clock }: CallDeps): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    if (tries > 0) await pause(one.backoffFactor * 2 ** (tries - 1), clock);
    await call.stillStands();
    const answer = await tried(one, call, outgoing);
    if (answer.done) return;
    if (!answer.again || tries >= one.retries)
      throw new Error(`${one.rule}: api-call to ${urlWithoutCredentials(one.url)} failed: ${answer.problem}`);
  }
}

/**
 * Makes the calls of rules, one after the other; nothing that they answer is used (contract: inspection.md §12.2, api-call).
 * What does not answer, or with a fault of its own, is asked again; rejects with the rule's name otherwise.
 */
export async function makeCalls(calls: readonly ApiCall[], call: Call, deps: CallDeps): Promise<void> {
  for (const one of calls) await made(one, call, deps);
}
