import { createHash } from 'node:crypto';
import type { Clock } from '@lib/ports';
import { BmcConnection } from './connection';
import type { BmcAccess } from './driver-info';
import { BmcRefused, BmcUnreachable } from './hardware-error';
import type { RedfishOptions } from './options';

/** One connection for each BMC and account, the ones used last (contract: redfish.md §2). */
export class BmcConnections {
  private readonly kept = new Map<string, BmcConnection>();

  constructor(
    private readonly options: RedfishOptions,
    private readonly clock: Clock,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  /** Work with the connection. One whose BMC fails or refuses the account is dropped afterwards. */
  async using<T>(access: BmcAccess, work: (bmc: BmcConnection) => Promise<T>): Promise<T> {
    const key = keyOf(access);
    const bmc = this.take(key, access);
    try {
      return await work(bmc);
    } catch (error) {
      const isLost = error instanceof BmcUnreachable || (error instanceof BmcRefused && error.isAccess);
      if (isLost && this.kept.get(key) === bmc) this.kept.delete(key);
      throw error;
    }
  }

  close(): void {
    for (const bmc of this.kept.values()) bmc.close();
    this.kept.clear();
  }

  private take(key: string, access: BmcAccess): BmcConnection {
    const bmc = this.kept.get(key) ?? new BmcConnection(access, this.options, this.clock);
    this.kept.delete(key);
    if (this.options.connectionsMax > 0) this.kept.set(key, bmc);
    // Whoever is at work with one that goes keeps it until it is done.
    for (const oldest of [...this.kept.keys()].slice(0, Math.max(0, this.kept.size - this.options.connectionsMax)))
      this.kept.delete(oldest);
    return bmc;
  }
}

/** Everything that makes another connection of it; of the password only what can not be read back. */
const keyOf = ({ origin, root, account, verify, tls, authType }: BmcAccess): string => {
  const password = account && createHash('sha256').update(account.password).digest('hex');
  return JSON.stringify([origin, root, account?.username ?? null, password, verify, tls, authType]);
};
