import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export class NotIdentified extends Error {
  constructor() {
    super('Incorrect username or password');
    this.name = 'NotIdentified';
  }
}

/** Open to everybody: what there is, and what ramdisks post (contract: inspector-api.md §1); our own pages guard themselves. */
const open = /^\/(?:v1(?:\/continue)?|ferrolog\/.*)?\/*$/;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @throws NotIdentified */
export function checkIdentity({ url, headers }: FastifyRequest, wanted: Credentials | null): void {
  if (wanted === null || open.test(url.split('?')[0] ?? '')) return;
  const [, pair = ''] = /^basic +([a-z\d+/=]+) *$/i.exec(headers.authorization ?? '') ?? [];
  const told = digest(Buffer.from(pair, 'base64').toString('utf8'));
  if (!timingSafeEqual(told, digest(`${wanted.username}:${wanted.password}`))) throw new NotIdentified();
}
