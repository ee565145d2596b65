import type { JsonObject } from '../node/fields';
import { textForm } from './text-form';
import { RuleFailure } from './types';
import type { ApiCall } from './types';

const TIMEOUT_SECONDS_MAX = 300;
const RETRIES_MAX = 10;
const BACKOFF_FACTOR_MAX = 60;

function numberOf(value: unknown, name: string, fallback: number, max: number): number {
  if (value === undefined || value === null) return fallback;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= 0 && number <= max) return number;
  throw new RuleFailure(`api-call: ${name} is ${textForm(value)}, which is not between 0 and ${max}`);
}

function textsOf(value: unknown, name: string): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new RuleFailure(`api-call: ${name} is no object`);
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, one]) => [key, textForm(one)]));
}

function httpUrl(value: unknown, name: string): string {
  const url = textForm(value);
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  // Not quoted: it may hold a password.
  throw new RuleFailure(`api-call: ${name} is no http or https address`);
}

/** A call as it is to be made later; what is wrong with it is told now. */
export function plannedCall(args: JsonObject, rule: string): ApiCall {
  const proxies = Object.entries(textsOf(args['proxies'], 'proxies'));
  return {
    rule,
    url: httpUrl(args['url'], 'url'),
    headers: textsOf(args['headers'], 'headers'),
    proxies: Object.fromEntries(proxies.map(([scheme, url]) => [scheme, httpUrl(url, `the proxy for ${scheme}`)])),
    timeoutMs: numberOf(args['timeout'], 'timeout', 5, TIMEOUT_SECONDS_MAX) * 1000,
    retries: Math.floor(numberOf(args['retries'], 'retries', 3, RETRIES_MAX)),
    backoffFactor: numberOf(args['backoff_factor'], 'backoff_factor', 0.3, BACKOFF_FACTOR_MAX),
  };
}
