import type { AgentCertificates } from '@lib/ports';

/** Certificates of agents where no file system is wanted. */
export class MemoryCertificates implements AgentCertificates {
  private readonly kept = new Map<string, string>();

  pathOf(uuid: string): string {
    return `/certificates/${uuid}.crt`;
  }

  async keep(uuid: string, pem: string): Promise<void> {
    this.kept.set(this.pathOf(uuid), pem);
  }

  read(path: string): string | undefined {
    return this.kept.get(path);
  }
}
