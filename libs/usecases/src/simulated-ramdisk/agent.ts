import type { Chance, Clock, Logger } from '@lib/ports';
import type { RamdiskHost } from './host';
import type { Pauses } from './pauses';

/** `ipa-lookup-timeout` */
const LOOKUP_MS_MAX = 600_000;
const LOOKUP_PAUSE_S_MAX = 60;
/** What a locked node adds to the pause, the first times and from then on. */
const LOCKED_S: readonly number[] = [5, 10, 30];
const TOKEN_LENGTH_MIN = 32;
/** Somebody has the token already. */
const ISSUED = '******';

export interface AgentParts {
  readonly host: RamdiskHost;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly pauses: Pauses;
  readonly logger: Logger;
}

export interface AgentNode {
  readonly uuid: string;
  readonly macs: readonly string[];
  /** Root of the API that it was told of; null: the one that its node was seen at. */
  readonly api: string | null;
  /** `ipa-agent-token`; null: it gets one by its lookup. */
  readonly ownToken: string | null;
}

/** The agent in a booted ramdisk: it looks its node up, then beats (contract: ramdisk.md §4, §5). */
export class Agent {
  private token: string | null;
  private beatMs: number | null = null;
  private attempts = 0;
  private lockedSeen = 0;
  private extraS = 0;
  private isLockedDown = false;
  private wasTaken = false;

  constructor(
    private readonly parts: AgentParts,
    private readonly node: AgentNode,
  ) {
    this.token = node.ownToken;
  }

  /** One lookup, and the first heartbeat where it succeeds. */
  async introduce(): Promise<void> {
    const status = await this.lookUp();
    this.extraS = status === 409 ? (LOCKED_S[Math.min(this.lockedSeen, LOCKED_S.length - 1)] ?? 0) : 0;
    if (status === 409) this.lockedSeen += 1;
    if (this.beatMs !== null) await this.beat();
  }

  /** Looks up until it is known, at most 600 s, then beats until its machine is off or has booted again. */
  async live(isCurrent: () => boolean): Promise<void> {
    const { clock, pauses } = this.parts;
    const until = clock.now() + LOOKUP_MS_MAX;
    while (this.beatMs === null && !this.isLockedDown) {
      await pauses.pause(this.lookupPauseMs());
      if (clock.now() > until || !(await this.isAlive(isCurrent))) return;
      await this.introduce();
    }
    while (!this.isLockedDown && this.token !== null) {
      await pauses.pause(this.beatPauseMs());
      if (!(await this.isAlive(isCurrent))) return;
      await this.beat();
    }
  }

  /** Without a token it has nothing to say. */
  async beat(): Promise<void> {
    const { host } = this.parts;
    if (this.token === null || this.isLockedDown) return;
    const status = await host.heartbeat(this.node.uuid, this.token, this.node.api).catch(() => 0);
    this.wasTaken = status === 202;
  }

  private async lookUp(): Promise<number> {
    const { uuid, macs, api } = this.node;
    this.attempts += 1;
    const answer = await this.parts.host.lookUp(macs, api).catch(() => null);
    if (answer?.status !== 200 || answer.uuid === null || answer.heartbeatTimeoutMs === null)
      return answer?.status ?? 0;
    const { token } = answer;
    if (token !== null && token.length >= TOKEN_LENGTH_MIN) this.token = token;
    if (token === ISSUED && this.token === null) {
      this.parts.logger.warn({ node: uuid }, 'somebody has the token of this ramdisk: it locks itself down');
      this.isLockedDown = true;
    }
    this.beatMs = answer.heartbeatTimeoutMs;
    return 200;
  }

  private isAlive(isCurrent: () => boolean): Promise<boolean> | boolean {
    return isCurrent() && this.parts.host.isRunning(this.node.uuid).catch(() => true);
  }

  private lookupPauseMs(): number {
    const most = Math.min(LOOKUP_PAUSE_S_MAX, 2 ** Math.min(this.attempts, 6));
    return (1 + this.parts.chance.random() * (most - 1) + this.extraS) * 1000;
  }

  private beatPauseMs(): number {
    const roll = this.parts.chance.random();
    return this.wasTaken && this.beatMs !== null ? this.beatMs * (0.3 + 0.3 * roll) : 5000 + 5000 * roll;
  }
}
