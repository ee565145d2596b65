/** Days that once broke a rule, with what they found. */
export const onceFailing: readonly (readonly [seed: number, found: string])[] = [
  [43, 'an abort was stored, a read failed after it, and the answer was "nothing happened"'],
  [23, 'a request met a node whose removal had just taken the key of its secrets, and was answered with a bug'],
  [64, 'a store broke off while it committed, and the key of the secrets that it had stored was destroyed'],
  [
    2215,
    'an effect was claimed, and its node removed before the claim was heard of: the referee took it for a wrong claim',
  ],
  [
    24068,
    'the key of secrets was destroyed under an effect that opens two things, and one of the two failures was nobody’s',
  ],
];

/** Days as they were before operators moved deadlines in them; what they found stays in them. */
export const withoutOperators: ReadonlySet<number> = new Set([43, 23, 64, 2215, 24068]);
