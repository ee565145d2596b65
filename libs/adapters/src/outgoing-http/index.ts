/** Calls to services that are none of ours. */
import { readFileSync } from 'node:fs';
import type { Clock, OutgoingGet, OutgoingHttp } from '@lib/ports';
import { exchangeOnce, NoAnswer, reasonIn } from '../http-exchange';
import type { Tls } from '../http-exchange';
import { SettingsError } from '../settings-file';
import { systemClock } from '../system-clock';

/** Who vouches for the servers: the system's authorities, nobody, or those of a file with certificates (its path). */
export type VerifyCa = boolean | string;

function tlsOf(verify: VerifyCa): Tls {
  if (typeof verify === 'boolean') return { rejectUnauthorized: verify };
  try {
    return { ca: readFileSync(verify, 'utf8') };
  } catch (error) {
    throw new SettingsError([`[DEFAULT] webserver_verify_ca: it cannot be read: ${(error as Error).message}`]);
  }
}

function sentence(error: unknown, timeoutMs: number): string {
  if (error instanceof NoAnswer && error.isLate) return `no answer within ${timeoutMs / 1000} seconds`;
  const { code, text } = reasonIn(error instanceof NoAnswer && error.kind === 'broken' ? error.cause : error);
  return code ?? text;
}

/** @throws SettingsError for a file that cannot be read */
export function outgoingHttp(verify: VerifyCa = true, clock: Clock = systemClock): OutgoingHttp {
  const tls = tlsOf(verify);
  return {
    async get({ url, headers, proxy, timeoutMs }: OutgoingGet, signal): Promise<number> {
      try {
        const { pathname, search } = new URL(url);
        const ask = { method: 'GET', path: `${pathname}${search}`, headers };
        const way = { origin: url, tls, proxy, connectTimeoutMs: timeoutMs, bytesMax: 0 };
        const { status } = await exchangeOnce(way, ask, {
          patience: { wholeMs: timeoutMs },
          clock,
          signal,
          isHeadEnough: true,
        });
        return status;
      } catch (error) {
        throw new Error(sentence(error, timeoutMs), { cause: error });
      }
    },
  };
}
