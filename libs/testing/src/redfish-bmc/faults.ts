/** What goes wrong with a request, beside or instead of its answer. */
export type Fault =
  /** Carried out and answered, but late. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Never answered; `carriesOut`: what was asked for is done nevertheless. */
  | { readonly kind: 'hang'; readonly carriesOut?: boolean }
  /** Answered 202: its monitor tells `polls` times that it is not done, and then `end`, 204 unless given, which means done. */
  | { readonly kind: 'task'; readonly polls: number; readonly end?: number; readonly retryAfter?: string }
  /** Answered with this status, and nothing done unless `carriesOut`. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly messageId?: string;
      readonly carriesOut?: boolean;
    }
  /** The connection is cut in the middle of the body. */
  | { readonly kind: 'half answer' }
  /** A whole answer that is no JSON. */
  | { readonly kind: 'malformed' }
  /** The connection is cut before any answer. */
  | { readonly kind: 'cut' };

export interface FaultRule {
  readonly fault: Fault;
  /** Absent: each. */
  readonly method?: string;
  /** Against the path; absent: each. */
  readonly path?: RegExp;
  /** How often; absent: always. */
  readonly times?: number;
}

/** Rules in the order in which they were given; the first that fits and is not used up decides. */
export class Faults {
  private rules: { readonly rule: FaultRule; left: number }[] = [];

  add(rule: FaultRule): void {
    this.rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.rules = [];
  }

  take(method: string, path: string): Fault | null {
    const fits = ({ rule, left }: { rule: FaultRule; left: number }): boolean =>
      left > 0 && (rule.method ?? method) === method && (rule.path?.test(path) ?? true);
    const found = this.rules.find(fits);
    if (!found) return null;
    found.left -= 1;
    return found.rule.fault;
  }
}
