import type { DocumentSchema, EffectLeases, EventLog, Instant, KeyStore, Liveness, ReadModel } from '@lib/ports';

/** What a test holds of a log: one opener of a store that outlives it. */
export interface LogUnderTest {
  readonly log: EventLog;
  readonly readModel: ReadModel;
  readonly leases: EffectLeases;
  readonly liveness: Liveness;
  readonly keyStore: KeyStore;
  /** Closes this opener and opens the same store again. */
  reopen(): Promise<LogUnderTest>;
  /** Closes the opener and throws the store away. */
  close(): Promise<void>;
}

/** Opens a new, empty store. */
export type OpenLog = (options: {
  readonly schemas: readonly DocumentSchema[];
  readonly clock: { now(): Instant };
}) => Promise<LogUnderTest>;

/** The kinds of document that the suite uses. */
export const suiteSchemas: readonly DocumentSchema[] = [
  {
    kind: 'node',
    columns: { name: 'text', state: 'text', maintenance: 'boolean', rank: 'integer' },
    indexed: ['name', 'state'],
  },
  { kind: 'port', columns: { node: 'text', address: 'text' }, indexed: ['node', 'address'] },
  { kind: 'history', columns: { node: 'text' }, indexed: ['node'] },
];

export class SuiteClock {
  constructor(private instant: Instant) {}

  now(): Instant {
    return this.instant;
  }

  moveTo(instant: Instant): void {
    this.instant = instant;
  }
}

export interface Bench {
  readonly clock: SuiteClock;
  current: LogUnderTest;
}

/** A new log for each test of the describe block that calls this. */
export function benchEachTest(open: OpenLog): Bench {
  const bench = { clock: new SuiteClock(1_000_000) } as Bench;
  beforeEach(async () => {
    bench.clock.moveTo(1_000_000);
    bench.current = await open({ schemas: suiteSchemas, clock: bench.clock });
  });
  afterEach(() => bench.current.close());
  return bench;
}
