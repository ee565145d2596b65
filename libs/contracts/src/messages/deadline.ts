/** A timeout event: the scheduler says that a deadline's time has come; the aggregate decides (architecture, rule 4). */
export interface DeadlineElapsed {
  readonly logId: string;
  readonly stream: string;
  readonly n: number;
  readonly attempt: number;
  /** Epoch ms. */
  readonly due: number;
}

export type DeadlineAnswer =
  /** Acted on; the deadline is closed. */
  | { readonly answer: 'done' }
  /** The deadline belongs to something that has ended. */
  | { readonly answer: 'gone' }
  /** Maintenance or an open intent holds it; the append that ends these re-opens it. */
  | { readonly answer: 'held' }
  /** The conductor's clock says that it is not due: ask again after this time. */
  | { readonly answer: 'early'; readonly afterMs: number };
