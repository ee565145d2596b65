/** Certificates that the agents of ramdisks bring along, for whoever talks to them (contract: other-resources.md §4). */
export interface AgentCertificates {
  /** Path of the file that a node's are kept in. */
  pathOf(uuid: string): string;
  /** Keeps them in place of what was there; rejects where they cannot be. */
  keep(uuid: string, pem: string): Promise<void>;
}
