/** Days that once broke a rule, with what they found. */
export const onceFailing: readonly (readonly [seed: number, found: string])[] = [
  [60, 'the intent was stored, a read failed after it, and the answer was "nothing happened"'],
  [25, 'a request met a node whose removal had just taken the key of its secrets: 500'],
  [99, 'the limit of an effect passed while the store was asked whether it stands: the process ended'],
];
