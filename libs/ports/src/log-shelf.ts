/** Where the logs of ramdisks are kept. */
export interface LogShelf {
  /**
   * `name`: of a file, without a folder. `logs`: base64 of a tar.gz, as it came; nobody looks whether it is one. Rejects what is
   * no base64, and where it can not be kept.
   */
  keep(name: string, logs: string): Promise<void>;
  /** Nobody wants them any more. That they are not there is no error. */
  drop(name: string): Promise<void>;
}
