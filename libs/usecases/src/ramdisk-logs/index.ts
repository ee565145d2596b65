import type { Instant, Logger, LogShelf } from '@lib/ports';

/** `20261201-100000.250000`: sorts by time, and is a file's name everywhere. */
const stamp = (at: Instant): string => {
  const [day = '', time = ''] = new Date(at).toISOString().slice(0, -1).split('T');
  return `${day.replaceAll('-', '')}-${time.replaceAll(':', '')}000`;
};

/** `uuid`: null where the machine is not known. */
export const nameOfLogs = (uuid: string | null, at: Instant): string => `${uuid ?? 'unknown'}_${stamp(at)}.tar.gz`;

/** The logs that came with the data of a ramdisk, base64 of a tar.gz; null where none did. */
export function logsIn({ logs }: Readonly<Record<string, unknown>>): string | null {
  return typeof logs === 'string' && logs !== '' ? logs : null;
}

/** Whether they are kept now. That they can not be is a line in our log, and changes nothing for the machine. */
export async function keepLogs(
  name: string,
  logs: string,
  { logShelf, logger }: { readonly logShelf: LogShelf; readonly logger: Logger },
): Promise<boolean> {
  try {
    await logShelf.keep(name, logs);
    return true;
  } catch (error) {
    logger.warn({ name, error: String(error) }, 'the logs of a ramdisk were not kept');
    return false;
  }
}

export async function dropLogs(
  name: string,
  { logShelf, logger }: { readonly logShelf: LogShelf; readonly logger: Logger },
): Promise<void> {
  try {
    await logShelf.drop(name);
  } catch (error) {
    logger.warn({ name, error: String(error) }, 'logs of a ramdisk that nobody wants were not removed');
  }
}
