import type { Effect } from './effects';
import type { PostedData } from './state';

/** The data that an effect processes, as the data of that attempt. */
export const postedIn = ({ task }: Effect, attempt: number): PostedData | null =>
  task.kind === 'process inspection data' ? { attempt, payload: task.payload } : null;
