import { createHash } from 'node:crypto';
import { isObject, listAt, objectAt, textAt } from '@lib/domain/introspection';
import type { Clock, Instant } from '@lib/ports';
import { askKeystone } from './ask-keystone';

export interface KeystoneOptions {
  /** Root of the identity service, with or without its `/v3`. */
  readonly authUrl: string;
  /** How long an answer is believed without asking again. */
  readonly cacheMs: number;
  /** Certificates, in PEM, that it is held against; null: those of the system. */
  readonly ca: string | null;
}

export interface Identity {
  readonly roles: readonly string[];
}

/** No token, or one that the identity service does not vouch for: 401. */
export class TokenRefused extends Error {
  constructor() {
    super('The request you have made requires authentication.');
    this.name = 'TokenRefused';
  }
}

/** Nobody can say whose the token is: 503. */
export class KeystoneAway extends Error {
  constructor(reason: string) {
    super(`The identity service can not be asked: ${reason}`);
    this.name = 'KeystoneAway';
  }
}

interface Believed {
  readonly identity: Identity;
  readonly until: Instant;
}

const BELIEVED_MAX = 10_000;

const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64');

/** The identity in the answer, and when its token expires. @throws KeystoneAway for what is no answer of an identity service */
const readIdentity = (text: string): Believed => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new KeystoneAway('its answer is no JSON');
  }
  if (!isObject(body) || !isObject(body['token'])) throw new KeystoneAway('its answer tells of no token');
  const token = objectAt(body, 'token');
  const expires = Date.parse(textAt(token, 'expires_at') ?? '');
  const roles = listAt(token, 'roles').map((role) => (isObject(role) ? String(role['name']).toLowerCase() : ''));
  return { identity: { roles }, until: Number.isNaN(expires) ? -Infinity : expires };
};

/** Says whose tokens are. What it was told is believed for a short time, and never after the token has expired. */
export class Keystone {
  private readonly believed = new Map<string, Believed>();
  private readonly asking = new Map<string, Promise<Identity>>();

  constructor(
    private readonly options: KeystoneOptions,
    private readonly clock: Clock,
  ) {}

  /** @throws TokenRefused, KeystoneAway */
  async identify(token: string): Promise<Identity> {
    if (!/^[\x21-\x7e]{1,16384}$/.test(token)) throw new TokenRefused();
    const key = keyOf(token);
    const known = this.believed.get(key);
    if (known && known.until > this.clock.now()) return known.identity;
    this.believed.delete(key);
    const asking = this.asking.get(key) ?? this.ask(key, token).finally(() => this.asking.delete(key));
    this.asking.set(key, asking);
    return asking;
  }

  private async ask(key: string, token: string): Promise<Identity> {
    const { authUrl, ca, cacheMs } = this.options;
    const { status, text } = await askKeystone(authUrl, token, ca).catch((error: unknown) => {
      throw new KeystoneAway(error instanceof Error ? error.message : String(error));
    });
    // 401: it vouches for nobody; 403 and 404: not for this token.
    if (status === 401 || status === 403 || status === 404) throw new TokenRefused();
    if (status !== 200) throw new KeystoneAway(`it answered ${status}`);
    const { identity, until } = readIdentity(text);
    const now = this.clock.now();
    if (until <= now) throw new TokenRefused();
    this.believe(key, { identity, until: Math.min(until, now + cacheMs) });
    return identity;
  }

  private believe(key: string, told: Believed): void {
    const oldest = this.believed.keys().next();
    if (this.believed.size >= BELIEVED_MAX && !oldest.done) this.believed.delete(oldest.value);
    this.believed.set(key, told);
  }
}
