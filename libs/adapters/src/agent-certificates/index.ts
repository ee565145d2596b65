/** Agents' certificates as files, one for each node (contract: config.md [agent] certificates_path). */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentCertificates } from '@lib/ports';

export function agentCertificates(folder: string): AgentCertificates {
  const pathOf = (uuid: string): string => join(folder, `${uuid}.crt`);
  return {
    pathOf,
    async keep(uuid, pem) {
      await mkdir(folder, { recursive: true });
      // Whoever reads it meanwhile sees the old one or the new one, never half of it.
      const written = `${pathOf(uuid)}.${randomUUID()}`;
      await writeFile(written, pem, { mode: 0o644 });
      await rename(written, pathOf(uuid));
    },
  };
}
