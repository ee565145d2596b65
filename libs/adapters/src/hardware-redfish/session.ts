import { BmcRefused, BmcUnreachable } from './hardware-error';
import type { AuthType } from './options';

export interface Account {
  readonly username: string;
  readonly password: string;
}

/** Opens a session and answers with its token; rejects where the BMC has none for this account. */
export type OpenSession = (account: Account) => Promise<string>;

const basicOf = ({ username, password }: Account): string =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;

/** What makes a BMC know its client (contract: redfish.md §2). */
export class Credentials {
  private header: Record<string, string> | null = null;
  private opening: Promise<void> | null = null;
  private hadSession = false;

  constructor(
    private readonly account: Account | null,
    private readonly type: AuthType,
    private readonly open: OpenSession,
  ) {}

  get usesSession(): boolean {
    return this.header?.['X-Auth-Token'] !== undefined;
  }

  async headers(): Promise<Record<string, string>> {
    if (this.account === null) return {};
    if (this.header === null) await this.authenticate(this.account);
    return this.header ?? {};
  }

  /** The token is good no longer: the next request opens another session. */
  forget(): void {
    this.header = null;
  }

  /** One session for all that ask at once. */
  private authenticate(account: Account): Promise<void> {
    this.opening ??= this.choose(account).finally(() => (this.opening = null));
    return this.opening;
  }

  private async choose(account: Account): Promise<void> {
    if (this.type === 'basic') {
      this.header = { Authorization: basicOf(account) };
      return;
    }
    try {
      this.header = { 'X-Auth-Token': await this.open(account) };
      this.hadSession = true;
    } catch (error) {
      // Once there were sessions there is no way back to the password in every request.
      const hasOther = this.type === 'auto' && !this.hadSession && !(error instanceof BmcUnreachable);
      if (!hasOther) throw error;
      this.header = { Authorization: basicOf(account) };
    }
  }
}

export const isAccessError = (error: unknown): boolean => error instanceof BmcRefused && error.isAccess;
