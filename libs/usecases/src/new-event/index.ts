import type { NewEvent } from '@lib/ports';

const SCHEMA = 1;

/** A decided event as the log takes it. */
export const newEvent = ({ type, data }: { readonly type: string; readonly data: unknown }): NewEvent => ({
  type,
  schema: SCHEMA,
  data,
});
