import { encode, subjects } from '@lib/contracts';
import type { Readiness, ServiceName } from '@lib/contracts';
import type { Logger, MessageBus } from '@lib/ports';

/**
 * Answers for a service on the bus; `missing` names what it needs and has not got, `troubled` what fails at the moment
 * although it serves. Returns what ends it.
 */
export async function serveReady(
  bus: MessageBus,
  prefix: string,
  name: ServiceName,
  missing: () => Promise<readonly string[]> | readonly string[],
  logger: Logger,
  troubled: () => readonly string[] = () => [],
): Promise<() => Promise<void>> {
  const answer = async (): Promise<Uint8Array> => {
    const lacks = await missing();
    const fails = troubled();
    const told = fails.length > 0 ? { troubled: fails } : {};
    const readiness: Readiness = { ready: lacks.length === 0, missing: lacks, ...told };
    return encode(readiness);
  };
  const failed = (error: unknown): void => logger.warn({ reason: String(error) }, 'readiness could not be told');
  const subscription = await bus.serve(subjects.ready(prefix, name), name, answer, failed);
  return () => subscription.stop();
}

/** What a service that reads the log needs of it. */
export async function databaseMissing(head: () => Promise<number>): Promise<readonly string[]> {
  try {
    await head();
    return [];
  } catch {
    return ['database'];
  }
}

/** What a conductor does beside serving requests, by what it publishes; null where that is switched off. */
export const publishingTroubled = (
  publishers: Readonly<Record<string, { troubled(): boolean } | null>>,
): readonly string[] =>
  Object.entries(publishers).flatMap(([what, one]) => (one?.troubled() ? [`publishing ${what}`] : []));
