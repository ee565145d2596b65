import type { BootedMachines } from '@lib/usecases/simulated-inspector';
import { pacedBody } from './paced-body';
import { readBootFile } from './read-boot-file';
import type { BootFiles } from './read-boot-file';

const TIMEOUT_MS = 30_000;

/** Machines that boot by these files and post over HTTP, without a version, as the real ramdisk does (contract: ramdisk.md §3). */
export const bootedMachines = (files: BootFiles): BootedMachines => ({
  bootFile: (bootInterface, macs) => readBootFile(files, bootInterface, macs),
  async post(url, body, overMs) {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      ...pacedBody(body, overMs),
      signal: AbortSignal.timeout(TIMEOUT_MS + overMs),
    });
    await answer.text();
    return answer.status;
  },
});
