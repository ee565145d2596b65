import { sep } from 'node:path';
import type { Logger } from '@lib/ports';

/** Whether an error was made in one of these folders. */
export const comesFrom = (error: unknown, folders: readonly string[]): boolean =>
  error instanceof Error && folders.some((folder) => (error.stack ?? '').includes(`${folder}${sep}`));

/**
 * An extension that throws in a timer, or forgets a promise, must not end the process that works for all other nodes: such an
 * error is logged. Any other one ends the process as before. Returns what takes this back.
 */
export function containStrayErrors(folders: readonly string[], logger: Logger): () => void {
  if (folders.length === 0) return () => undefined;
  const uncaught = (error: unknown): void => {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (comesFrom(error, folders)) {
      logger.error({ stack }, 'an extension failed outside of any call; the conductor goes on');
      return;
    }
    process.stderr.write(`${stack}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', uncaught);
  return () => void process.off('uncaughtException', uncaught);
}
