import type { Append, EventLog } from '@lib/ports';

/** A log that is as the one beneath it, but for what a spec puts in its place. */
export const faultyLog = (log: EventLog, instead: Partial<EventLog>): EventLog =>
  new Proxy(log, {
    get: (target, name) => {
      const value: unknown = Reflect.get(instead, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** Refuses appends for as long as a spec says what is wrong with them. */
export class AppendFault {
  /** Throws what the store would. */
  check: ((append: Append) => void) | null = null;
  /** Appends that were refused. */
  refused = 0;

  readonly of = (log: EventLog): EventLog => {
    const append = async (one: Append) => {
      try {
        this.check?.(one);
      } catch (error) {
        this.refused += 1;
        throw error;
      }
      return log.append(one);
    };
    return faultyLog(log, { append });
  };
}
