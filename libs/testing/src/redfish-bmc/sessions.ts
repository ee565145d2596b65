import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How a BMC lets its clients in. */
export type BmcAuth = 'none' | 'basic' | 'session' | 'both';

export interface Account {
  readonly username: string;
  readonly password: string;
}

const same = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Sessions of a BMC: made with the account, known by their tokens, until they are deleted or expire. */
export class Sessions {
  private readonly tokens = new Map<string, string>();
  private made = 0;

  constructor(
    readonly auth: BmcAuth,
    public account: Account,
  ) {}

  get offered(): boolean {
    return this.auth === 'session' || this.auth === 'both';
  }

  get count(): number {
    return this.tokens.size;
  }

  get ids(): readonly string[] {
    return [...this.tokens.keys()];
  }

  /** Null: the account is another one. */
  open(username: unknown, password: unknown): { id: string; token: string } | null {
    if (!this.knows(String(username), String(password))) return null;
    this.made += 1;
    const one = { id: String(this.made), token: `token-${this.made}-${this.made * 7919}` };
    this.tokens.set(one.id, one.token);
    return one;
  }

  close(id: string): boolean {
    return this.tokens.delete(id);
  }

  /** All of them, as after a restart of the BMC. */
  expire(): void {
    this.tokens.clear();
  }

  lets(headers: IncomingHttpHeaders): boolean {
    if (this.auth === 'none') return true;
    const token = headers['x-auth-token'];
    if (this.offered && typeof token === 'string') return [...this.tokens.values()].includes(token);
    if (this.auth === 'session') return false;
    const [scheme = '', code = ''] = (headers.authorization ?? '').split(' ');
    if (scheme.toLowerCase() !== 'basic') return false;
    const [username = '', ...password] = Buffer.from(code, 'base64').toString('utf8').split(':');
    return this.knows(username, password.join(':'));
  }

  private knows(username: string, password: string): boolean {
    return same(username, this.account.username) && same(password, this.account.password);
  }
}
