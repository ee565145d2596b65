import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that the TFTP and the web server of the machines would serve. */
export interface BootFiles {
  /** `[pxe] tftp_root` */
  readonly tftpRoot: string;
  /** `[deploy] http_root` */
  readonly httpRoot: string;
}

/** What pxelinux or iPXE would ask for first, MAC by MAC, in the order in which the machine tries its NICs. */
export async function readBootFile(
  { tftpRoot, httpRoot }: BootFiles,
  bootInterface: string,
  macs: readonly string[],
): Promise<string | null> {
  for (const mac of macs) {
    const dashed = mac.toLowerCase().replaceAll(':', '-');
    if (!/^([0-9a-f]{2}-){5}[0-9a-f]{2}$/.test(dashed)) continue;
    const [root, name] = bootInterface === 'ipxe' ? [httpRoot, dashed] : [tftpRoot, `01-${dashed}`];
    const text = await readFile(join(root, 'pxelinux.cfg', name), 'utf8').catch(() => null);
    if (text !== null) return text;
  }
  return null;
}
