import { effectKey } from '@lib/adapters/event-log-batch';
import type { Change, ClaimedEffect, Instant, StreamId } from '@lib/ports';

interface StoredEffect {
  readonly stream: StreamId;
  readonly n: number;
  /** Order of opening in the whole log. */
  readonly opened: number;
  attempt: number | null;
  json: string;
  claim: number;
  owner: string | null;
  leasedUntil: Instant | null;
}

/** Open effects and who runs them. */
export class MemoryEffects {
  private readonly byStream = new Map<StreamId, Map<number, StoredEffect>>();
  private lastOpened = 0;
  /** The claim of each open effect: what fences are compared with. */
  readonly claims = new Map<string, number>();

  apply(change: Extract<Change, { change: 'effect' }>): void {
    const { stream, n, attempt, status, json } = change;
    const effects = this.byStream.get(stream) ?? new Map<number, StoredEffect>();
    const known = effects.get(n);
    if (status === 'closed') effects.delete(n);
    else if (known !== undefined) Object.assign(known, { attempt, json });
    else
      effects.set(n, { stream, n, opened: ++this.lastOpened, attempt, json, claim: 0, owner: null, leasedUntil: null });
    if (status === 'closed') this.claims.delete(effectKey(change));
    else if (known === undefined) this.claims.set(effectKey(change), 0);
    if (effects.size === 0) this.byStream.delete(stream);
    else this.byStream.set(stream, effects);
  }

  /** All open effects, whoever runs them. */
  rows(): { stream: StreamId; n: number; attempt: number | null; json: string }[] {
    const all = [...this.byStream.values()].flatMap((effects) => [...effects.values()]);
    return all.map(({ stream, n, attempt, json }) => ({ stream, n, attempt, json }));
  }

  /** Makes the open effects those given, in this order; those that are known keep their claim and lease. */
  replace(effects: readonly { stream: StreamId; n: number; attempt: number | null; json: string }[]): void {
    const known = new Map(
      [...this.byStream.values()].flatMap((of) => [...of.values()]).map((one) => [effectKey(one), one]),
    );
    this.byStream.clear();
    this.claims.clear();
    for (const effect of effects) {
      this.apply({ change: 'effect', status: 'open', ...effect });
      const { claim = 0, owner = null, leasedUntil = null } = known.get(effectKey(effect)) ?? {};
      const again = this.byStream.get(effect.stream)?.get(effect.n);
      if (again) Object.assign(again, { claim, owner, leasedUntil });
      this.claims.set(effectKey(effect), claim);
    }
  }

  claim(owner: string, now: Instant, leaseMs: number, limit: number): ClaimedEffect[] {
    return [...this.byStream.values()]
      .map(first)
      .filter(({ leasedUntil }) => leasedUntil === null || leasedUntil <= now)
      .sort((a, b) => a.opened - b.opened)
      .slice(0, limit)
      .map((effect) => {
        Object.assign(effect, { claim: effect.claim + 1, owner, leasedUntil: now + leaseMs });
        this.claims.set(effectKey(effect), effect.claim);
        const { stream, n, attempt, json, claim } = effect;
        return { stream, n, attempt, json, claim };
      });
  }

  renew({ stream, n, claim }: { stream: StreamId; n: number; claim: number }, owner: string, until: Instant): boolean {
    const effect = this.byStream.get(stream)?.get(n);
    if (effect === undefined || effect.claim !== claim || effect.owner !== owner) return false;
    effect.leasedUntil = until;
    return true;
  }

  release(owner: string | null): void {
    for (const effects of this.byStream.values()) {
      for (const effect of effects.values()) {
        if (owner === null || effect.owner === owner) Object.assign(effect, { owner: null, leasedUntil: null });
      }
    }
  }
}

function first(effects: ReadonlyMap<number, StoredEffect>): StoredEffect {
  return [...effects.values()].reduce((a, b) => (b.n < a.n ? b : a));
}
