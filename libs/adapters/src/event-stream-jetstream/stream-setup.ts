import { EVENT_STREAM_MAX_AGE_MS } from '@lib/ports';
import { DiscardPolicy, type JetStreamManager, NatsError, RetentionPolicy, StorageType, type StreamConfig } from 'nats';

const NANOS_PER_MS = 1_000_000;
const STREAM_NOT_FOUND = 10059;
const STREAM_NAME_IN_USE = 10058;

export interface StreamSettings {
  readonly name: string;
  readonly subject: string;
  readonly replicas: number;
}

/**
 * Makes the stream when it is not there, and reads its settings back: servers before 2.10 answer "created" and ignore what
 * they do not know. An operator may tune age, size and replicas of a stream that is there; what the publisher's promises rest
 * on has to be as we say, else this throws a sentence that names it.
 */
export async function ensureStream(manager: JetStreamManager, settings: StreamSettings): Promise<void> {
  const existing = await find(manager, settings.name);
  if (existing !== null) return assertSettings(existing, essentials(settings), settings.name);
  const wanted = {
    ...essentials(settings),
    max_age: EVENT_STREAM_MAX_AGE_MS * NANOS_PER_MS,
    num_replicas: settings.replicas,
  };
  try {
    await manager.streams.add(wanted);
  } catch (error) {
    // Somebody else was faster, with the same settings or others: looked at below.
    if (!isApiError(error, STREAM_NAME_IN_USE)) throw error;
  }
  const made = await find(manager, settings.name);
  if (made === null) throw new Error(`the broker did not make the stream ${settings.name}`);
  assertSettings(made, wanted, settings.name);
}

function essentials(settings: StreamSettings): Partial<StreamConfig> & { name: string } {
  return {
    name: settings.name,
    subjects: [settings.subject],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    // A limit per subject would cut holes into the sequence that consumers resume by.
    max_msgs_per_subject: -1,
  };
}

async function find(manager: JetStreamManager, name: string): Promise<StreamConfig | null> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (isApiError(error, STREAM_NOT_FOUND)) return null;
    throw error;
  }
}

function assertSettings(config: StreamConfig, wanted: Partial<StreamConfig>, name: string): void {
  const found = config as unknown as Record<string, unknown>;
  for (const [setting, value] of Object.entries(wanted)) {
    if (JSON.stringify(found[setting]) === JSON.stringify(value)) continue;
    throw new Error(
      `the stream ${name} has ${setting} = ${JSON.stringify(found[setting])}, and events need ${JSON.stringify(value)}`,
    );
  }
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof NatsError && error.api_error?.err_code === code;
}
