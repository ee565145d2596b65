import { refused } from './messages';
import type { Answer, Asked } from './messages';
import { ROOT } from './document';
import type { Fault } from './faults';

type Task = Extract<Fault, { kind: 'task' }>;

const MONITORS = `${ROOT}/TaskService/TaskMonitors`;

/** Work that a BMC is at, each with a monitor to ask. */
export class Tasks {
  private readonly open = new Map<string, { readonly task: Task; left: number }>();
  private begun = 0;

  begin(task: Task): Answer {
    this.begun += 1;
    const path = `${MONITORS}/${this.begun}`;
    this.open.set(path, { task, left: task.polls });
    return { status: 202, headers: { Location: path, ...retryAfter(task) } };
  }

  /** Null: it is no monitor that is asked. */
  answer({ method, path }: Asked): Answer | null {
    const one = this.open.get(path);
    if (method !== 'GET' || !one) return null;
    if (one.left > 0) {
      one.left -= 1;
      return { status: 202, headers: { Location: path, ...retryAfter(one.task) } };
    }
    this.open.delete(path);
    const { end = 204 } = one.task;
    return end < 300 ? { status: end } : refused(end, 'The task has failed.');
  }
}

const retryAfter = ({ retryAfter: after }: Task): Record<string, string> =>
  after === undefined ? {} : { 'Retry-After': after };
