import type { MemoryLog } from '@lib/adapters/event-log-memory';
import { LogUnavailable } from '@lib/ports';
import type { ClaimedEffect, EffectLeases, EventLog, KeyStore, ReadModel } from '@lib/ports';
import type { Fate } from './fate';
import type { Process, Weather } from './process';

const REFUSED = 0.004;
const UNKNOWN = 0.004;
const UNREADABLE = 0.002;

/** What a conductor or a scheduler opens of the one store. */
export interface StoreDoor {
  readonly log: EventLog;
  readonly readModel: ReadModel;
  readonly leases: EffectLeases;
  readonly keyStore: KeyStore;
}

interface StoreParts {
  readonly memory: MemoryLog;
  readonly fate: Fate;
  readonly weather: Weather;
  /** Called when a claim is made; what it answers hears which effects it got. */
  readonly claiming: () => (effects: readonly ClaimedEffect[], owner: string) => void;
}

/**
 * A process's connection to the store, which may refuse to write, break off while it commits (whether it did is then unknown),
 * and be unreadable for a moment.
 */
export function faultyStore(process: Process, { memory, fate, weather, claiming }: StoreParts): StoreDoor {
  const { log, readModel, leases, keyStore } = memory;
  const hits = (probability: number): boolean => weather.stormy && fate.happens(probability);
  const read = <T>(what: string, run: () => Promise<T>): Promise<T> =>
    process.call(what, () => {
      if (hits(UNREADABLE)) throw new LogUnavailable('the connection was lost while reading');
      return run();
    });
  const write = <T>(what: string, run: () => Promise<T>): Promise<T> =>
    process.call(what, async () => {
      if (hits(REFUSED)) throw new LogUnavailable('the connection was lost');
      const result = await run();
      if (hits(UNKNOWN)) throw new LogUnavailable('the connection broke off while committing', true);
      return result;
    });
  return {
    log: {
      append: (append) => write('an append', () => log.append(append)),
      onCommit(listener) {
        const unlisten = log.onCommit((events) => void process.running().then(() => listener(events)));
        process.whenItDies(unlisten);
        return unlisten;
      },
      close: () => Promise.resolve(),
      logId: () => log.logId(),
      readStream: (...args) => read('a read of a stream', () => log.readStream(...args)),
      readAll: (...args) => read('a read of the log', () => log.readAll(...args)),
      head: () => read('a read of the head', () => log.head()),
      readCommand: (id) => read('a read of a command', () => log.readCommand(id)),
      versions: (streams) => read('a read of versions', () => log.versions(streams)),
      readBlob: (hash) => read('a read of a blob', () => log.readBlob(hash)),
    },
    readModel: {
      get: (...args) => read('a read', () => readModel.get(...args)),
      list: (query) => read('a list', () => readModel.list(query)),
      count: (...args) => read('a count', () => readModel.count(...args)),
      owners: (...args) => read('a read of owners', () => readModel.owners(...args)),
      deadlines: (...args) => read('a read of deadlines', () => readModel.deadlines(...args)),
      readBlob: (hash) => read('a read of a blob', () => readModel.readBlob(hash)),
      close: () => Promise.resolve(),
    },
    leases: {
      claim: (owner, now, leaseMs, limit) =>
        write('a claim', async () => {
          const claimed = claiming();
          const effects = await leases.claim(owner, now, leaseMs, limit);
          claimed(effects, owner);
          return effects;
        }),
      renew: (...args) => write('a renewal', () => leases.renew(...args)),
      release: (owner) => write('a release', () => leases.release(owner)),
    },
    keyStore: {
      put: (...args) => write('a key', () => keyStore.put(...args)),
      get: (id) => read('a read of a key', () => keyStore.get(id)),
      remove: (id) => write('a removal of a key', () => keyStore.remove(id)),
    },
  };
}
