export interface RunningStack {
  readonly apiUrl: string | null;
  readonly inspectorUrl: string | null;
  /** Null: the bus is in process. */
  readonly natsUrl: string | null;
  stop(): Promise<void>;
}
