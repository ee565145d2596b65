import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Keystone, TokenRefused } from '../keystone';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Who is served: everybody, who knows these credentials, or whom an identity service vouches for. */
export type Guard =
  | { readonly kind: 'noauth' }
  | { readonly kind: 'http_basic'; readonly credentials: Credentials }
  | { readonly kind: 'keystone'; readonly keystone: Keystone; readonly authUrl: string };

/** 401. `challenge`: how one identifies oneself here. */
export class NotIdentified extends Error {
  constructor(
    message: string,
    readonly challenge: string,
  ) {
    super(message);
    this.name = 'NotIdentified';
  }
}

/** Known, but not allowed to do this: 403. */
export class NotAllowed extends Error {
  constructor() {
    super('Access was denied to this resource: a role that may do this is missing');
    this.name = 'NotAllowed';
  }
}

/** Open to everybody: what there is, and what ramdisks post (contract: inspector-api.md §1); our own pages guard themselves. */
const open = /^\/(?:v1(?:\/continue)?|ferrolog\/.*)?\/*$/;

/** Roles that may do everything, and those that may look. */
const operators: readonly string[] = ['admin', 'service', 'baremetal_admin'];
const readers: readonly string[] = [...operators, 'manager', 'member', 'reader', 'baremetal_observer'];
const looking: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const checkPassword = ({ headers }: FastifyRequest, wanted: Credentials): void => {
  const [, pair = ''] = /^basic +([a-z\d+/=]+) *$/i.exec(headers.authorization ?? '') ?? [];
  const told = digest(Buffer.from(pair, 'base64').toString('utf8'));
  if (!timingSafeEqual(told, digest(`${wanted.username}:${wanted.password}`))) {
    throw new NotIdentified('Incorrect username or password', 'Basic realm="Baremetal API"');
  }
};

/** The caller's `X-Auth-Token`; null: none. */
export const tokenIn = ({ headers }: FastifyRequest): string | null => {
  const token = headers['x-auth-token'];
  return typeof token === 'string' && token !== '' ? token : null;
};

const checkToken = async (request: FastifyRequest, keystone: Keystone, authUrl: string): Promise<void> => {
  const refuse = (error: unknown): never => {
    if (error instanceof TokenRefused) throw new NotIdentified(error.message, `Keystone uri="${authUrl}"`);
    throw error;
  };
  const { roles } = await keystone.identify(tokenIn(request) ?? '').catch(refuse);
  const wanted = looking.includes(request.method) ? readers : operators;
  if (!roles.some((role) => wanted.includes(role))) throw new NotAllowed();
};

/** @throws NotIdentified, NotAllowed, KeystoneAway */
export async function checkIdentity(request: FastifyRequest, guard: Guard): Promise<void> {
  if (guard.kind === 'noauth' || open.test(request.url.split('?')[0] ?? '')) return;
  if (guard.kind === 'http_basic') return checkPassword(request, guard.credentials);
  return checkToken(request, guard.keystone, guard.authUrl);
}
