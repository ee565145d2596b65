import type { Append, EventLog, EventStream } from '@lib/ports';

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

/** A stream that asks `before` each time its end is looked for or events are published. */
export function faultyStream(stream: EventStream, before: () => Promise<void>): EventStream {
  const after =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await before();
      return work(...args);
    };
  return {
    cursor: after(() => stream.cursor()),
    publish: after((event, last) => stream.publish(event, last)),
    publishMany: after((events, last) => stream.publishMany(events, last)),
    close: () => stream.close(),
  };
}
