/** A node that waits for its ramdisk. */
export interface WaitingNode {
  readonly uuid: string;
  /** The BMC's own address, null when the ramdisk would see none. */
  readonly bmcAddress: string | null;
  /** Tells one boot from the next: when the inspection began, as the API shows it. */
  readonly boot: string;
  readonly extra: Readonly<Record<string, unknown>>;
  /** The boot interface that boots its ramdisk; null: it is booted from outside, and then knows the API's address. */
  readonly managedBoot: string | null;
}

/** What a lookup was answered; what is missing is null. */
export interface LookupAnswer {
  readonly status: number;
  readonly uuid: string | null;
  /** As it was told: a token, or the asterisks that say that somebody has it. */
  readonly token: string | null;
  readonly heartbeatTimeoutMs: number | null;
}

/** What ramdisks need of the world. Calls reject when there is no answer. */
export interface RamdiskHost {
  /** Nodes with the interface `agent` in `inspect wait`. */
  waiting(): Promise<readonly WaitingNode[]>;
  /** MACs of the node's ports, the one it boots from first. */
  macsOf(uuid: string): Promise<readonly string[]>;
  /** Provision state of a node; null when it is gone. */
  stateOf(uuid: string): Promise<string | null>;
  /** What the machine's loader finds for its MACs; null: nothing. */
  bootFile(managedBoot: string, macs: readonly string[]): Promise<string | null>;
  /** Whether the machine is on, as far as is known: false when its power is off, or it is gone. */
  isRunning(uuid: string): Promise<boolean>;
  /** `api`: its root; null: the API that the nodes were seen at. */
  lookUp(macs: readonly string[], api: string | null): Promise<LookupAnswer>;
  heartbeat(uuid: string, token: string, api: string | null): Promise<number>;
  /**
   * Posts a body as it is; the status of the answer. `url`: as it is; null: where that API takes data. `overMs`: how long the
   * sending takes. Rejects where nobody can be reached.
   */
  post(body: string, url: string | null, overMs: number): Promise<number | 'timed out'>;
}
