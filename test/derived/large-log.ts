import { readFileSync } from 'node:fs';
import type { StoredLog } from '@lib/adapters/event-log-typeorm';
import type { Blob, RecordedEvent, StreamWrite } from '@lib/ports';
import { Ferrolog, jsonOf } from '../cli/run-ferrolog';
import { uuidOf } from '../world';
import { FULL, play } from './history';

const STREAMS_PER_APPEND = 100;
const LOOK_EVERY_MS = 100;

/** What one node lives through, to be written again and again under other names. */
export interface Life {
  readonly events: readonly RecordedEvent[];
  readonly blobs: readonly Blob[];
}

export async function oneLife(): Promise<Life> {
  const history = await play(1, { steps: 0, nodes: 1 });
  const events = await history.world.memory.log.readStream(`node/${FULL}`, 0, 1_000);
  const blobs = [...history.world.memory.store.blobs].map(([hash, bytes]) => ({ hash, bytes }));
  await history.end();
  return { events, blobs };
}

const as = (uuid: string, { events }: Life): StreamWrite => ({
  stream: `node/${uuid}`,
  expected: 'absent',
  events: events.map(({ type, schema, data }) => ({
    type,
    schema,
    data: JSON.parse(data.replaceAll(FULL, uuid).replace('"name":"full"', `"name":"n${uuid}"`)) as unknown,
  })),
});

/** So many nodes; the rows that derive from their events are left to `rebuild`. */
export async function fill({ log }: Pick<StoredLog, 'log'>, nodes: number, life: Life): Promise<void> {
  const meta = { requestId: null, actor: null, source: 'conductor/one', at: 1, causation: null };
  for (let node = 0; node < nodes; node += STREAMS_PER_APPEND) {
    const size = Math.min(STREAMS_PER_APPEND, nodes - node);
    const writes = Array.from({ length: size }, (_, i) => as(uuidOf(1 + node + i), life));
    await log.append({ writes, changes: [], blobs: life.blobs, meta: { ...meta, commandId: `life ${node}` } });
  }
}

export interface Pass<T> {
  readonly answer: T;
  readonly code: number | null;
  readonly stderr: string;
  readonly seconds: number;
  /** The most memory that the process ever had resident. */
  readonly residentMib: number;
}

/** A command of the command line in a process of its own, its memory watched. */
export async function pass<T>(command: 'rebuild' | 'verify', env: NodeJS.ProcessEnv): Promise<Pass<T>> {
  const began = performance.now();
  const child = new Ferrolog([command, '--json'], env);
  let residentMib = 0;
  const watch = setInterval(() => (residentMib = Math.max(residentMib, peakMib(child.pid))), LOOK_EVERY_MS);
  try {
    const ran = await child.ended;
    const seconds = (performance.now() - began) / 1000;
    return { answer: jsonOf<T>(ran), code: ran.code, stderr: ran.stderr, seconds, residentMib };
  } finally {
    clearInterval(watch);
  }
}

/** The kernel's own high-water mark; 0 for a process that is over. */
function peakMib(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
