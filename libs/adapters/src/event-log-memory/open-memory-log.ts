import { randomUUID } from 'node:crypto';
import { schemaIndex } from '@lib/adapters/event-log-batch';
import type { Clock, ConductorRow, DerivedTables, DerivedTablesRebuild, DocumentSchema } from '@lib/ports';
import type { EffectLeases, EventLog, KeyStore, Liveness, ReadModel } from '@lib/ports';
import { MemoryDerivedRebuild } from './memory-derived-rebuild';
import { MemoryDerivedTables } from './memory-derived-tables';
import { MemoryEventLog } from './memory-event-log';
import { MemoryReadModel } from './memory-read-model';
import { MemoryStore } from './memory-store';

export interface MemoryLogOptions {
  readonly schemas: readonly DocumentSchema[];
  readonly clock: Pick<Clock, 'now'>;
  /** Shared with other openers; by default a new one with a random log id. */
  readonly store?: MemoryStore;
}

export interface MemoryLog {
  readonly store: MemoryStore;
  readonly log: EventLog;
  readonly readModel: ReadModel;
  readonly leases: EffectLeases;
  readonly liveness: Liveness;
  readonly keyStore: KeyStore;
  readonly derived: DerivedTables;
  readonly derivedRebuild: DerivedTablesRebuild;
  /** Closes this opener; the store and its other openers live on. */
  close(): Promise<void>;
}

export function openMemoryLog({ schemas, clock, store = new MemoryStore(randomUUID()) }: MemoryLogOptions): MemoryLog {
  const index = schemaIndex(schemas);
  const log = new MemoryEventLog(store, index, clock);
  const readModel = new MemoryReadModel(store, index);
  const ready = () => log.assertWritable();
  return {
    store,
    log,
    readModel,
    leases: leasesOf(store, ready),
    liveness: livenessOf(store, ready),
    keyStore: keyStoreOf(store, ready),
    derived: new MemoryDerivedTables(store, index),
    derivedRebuild: new MemoryDerivedRebuild(store, index, ready),
    close: () => log.close(),
  };
}

function leasesOf({ effects }: MemoryStore, ready: () => void): EffectLeases {
  return {
    claim: async (owner, now, leaseMs, limit) => (ready(), effects.claim(owner, now, leaseMs, limit)),
    renew: async (effect, owner, until) => (ready(), effects.renew(effect, owner, until)),
    release: async (owner) => (ready(), effects.release(owner)),
  };
}

function livenessOf({ conductors }: MemoryStore, ready: () => void): Liveness {
  return {
    beat: async (row, now) => {
      ready();
      const createdAt = conductors.get(row.id)?.createdAt ?? row.createdAt;
      conductors.set(row.id, { ...row, drivers: [...row.drivers], createdAt, updatedAt: now });
    },
    conductors: async () => [...conductors.values()].sort(byHostAndAge),
    forget: async (ids) => {
      ready();
      for (const id of ids) conductors.delete(id);
    },
  };
}

function byHostAndAge(a: ConductorRow, b: ConductorRow): number {
  if (a.hostname !== b.hostname) return a.hostname < b.hostname ? -1 : 1;
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function keyStoreOf({ keys }: MemoryStore, ready: () => void): KeyStore {
  return {
    put: async (keyId, wrapped) => {
      ready();
      if (keys.has(keyId)) throw new Error(`key ${keyId}: there is one already`);
      keys.set(keyId, wrapped);
    },
    get: async (keyId) => keys.get(keyId) ?? null,
    remove: async (keyId) => {
      ready();
      keys.delete(keyId);
    },
  };
}
