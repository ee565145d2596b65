import type { ClaimedEffect, Clock, EffectLeases, Instant, Timer } from '@lib/ports';

export interface LeaseDeps {
  readonly clock: Clock;
  readonly leases: EffectLeases;
  readonly owner: string;
  readonly leaseMs: number;
}

/** The claim of an effect while this process works on it. */
export class Lease {
  private claim: number;
  private until: Instant;
  private isLost = false;
  private timer: Timer | null = null;
  private ended = false;
  /** Told once, when another worker is found to have the effect, or it was closed. */
  onLost: () => void = () => undefined;

  constructor(
    private readonly claimed: ClaimedEffect,
    claimedAt: Instant,
    private readonly deps: LeaseDeps,
  ) {
    this.claim = claimed.claim;
    this.until = claimedAt + deps.leaseMs;
  }

  get lost(): boolean {
    return this.isLost;
  }

  /** What an append that this work brings has to hold. */
  get fence(): { readonly stream: string; readonly n: number; readonly claim: number } {
    return { stream: this.claimed.stream, n: this.claimed.n, claim: this.claim };
  }

  /** This process has claimed the effect anew while it was still at work on it: the work goes on under the new claim. */
  adopt({ claim }: ClaimedEffect, claimedAt: Instant): void {
    this.claim = claim;
    this.until = claimedAt + this.deps.leaseMs;
  }

  /** Renews it from time to time, until `end`. */
  keep(): void {
    const { clock, leaseMs } = this.deps;
    this.timer = clock.after(leaseMs / 3, () => {
      if (this.ended) return;
      // Kept also when the store can not be asked: nobody else can take it there.
      void this.renew().catch(() => true);
      this.keep();
    });
  }

  end(): void {
    this.ended = true;
    this.timer?.cancel();
  }

  /**
   * Whether the effect is still this worker's. Within the lease that is known; a process that stood still beyond it asks,
   * before it touches the hardware again.
   */
  async holds(): Promise<boolean> {
    if (this.isLost) return false;
    return this.deps.clock.now() < this.until || this.renew();
  }

  /** False when the effect was taken over or closed. */
  async renew(): Promise<boolean> {
    const { clock, leases, owner, leaseMs } = this.deps;
    const { fence } = this;
    const until = clock.now() + leaseMs;
    const renewed = await leases.renew(fence, owner, until);
    if (fence.claim !== this.claim) return this.renew();
    if (renewed) this.until = Math.max(this.until, until);
    else if (!this.isLost) {
      this.isLost = true;
      this.onLost();
    }
    return renewed;
  }
}
