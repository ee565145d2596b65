export interface RunningStack {
  readonly apiUrl: string | null;
  readonly inspectorUrl: string | null;
  /** Null: the bus is in process. */
  readonly natsUrl: string | null;
  /** Resolves when a service cannot be kept running: the stack is then to be stopped, and has failed. */
  readonly failed?: Promise<string>;
  stop(): Promise<void>;
}
