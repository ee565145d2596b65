/** Bytes that differ from place to place, so that a lost, doubled or swapped piece shows. */
export function patternOf(bytes: number, seed = 1): Uint8Array {
  const body = Buffer.allocUnsafe(bytes);
  const whole = bytes - (bytes % 4);
  let state = seed | 1;
  for (let at = 0; at < whole; at += 4) {
    // xorshift32: every place of the body has its own word.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    body.writeInt32LE(state, at);
  }
  body.fill(seed & 0xff, whole);
  return body;
}

/** `expect(...).toEqual` on 64 MiB takes minutes. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
