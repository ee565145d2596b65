export interface MachineFacts {
  readonly uuid: string;
  /** MACs of the node's ports, the one it boots from first. */
  readonly macs: readonly string[];
  /** The BMC's own address, null when the ramdisk would see none. */
  readonly bmcAddress: string | null;
  /** `BOOTIF` of its command line, which it tells unchanged; absent: as the template writes it. */
  readonly bootif?: string | null;
  /** What its ramdisk collects; absent or null: all that the template has. */
  readonly collectors?: readonly string[] | null;
}
