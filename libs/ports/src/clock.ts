/** Milliseconds since the epoch, UTC. */
export type Instant = number;

export interface Timer {
  cancel(): void;
}

/** Time is handed in: a system clock in services, a manual one in tests. */
export interface Clock {
  now(): Instant;
  /** Runs once at or after now + delayMs. Any delay up to ten years (no 2^31 ms trap). A timer never keeps a process alive alone. */
  after(delayMs: number, run: () => void): Timer;
}

/** Chance and identity, handed in as well. */
export interface Chance {
  uuid(): string;
  /** Cryptographically strong. */
  bytes(length: number): Uint8Array;
  /** Uniform in [0, 1). */
  random(): number;
}
