import type { KeyStore } from '@lib/ports';
import type { Query } from './sql';
import type { WriteQueue } from './write-queue';

export function keyStoreOf(queue: WriteQueue, query: Query): KeyStore {
  return {
    put: (keyId, wrapped) =>
      queue
        .work(async (sql) => {
          const known = await sql.query('SELECT 1 FROM secret_keys WHERE key_id = ?', [keyId]);
          if (known.length > 0) return false;
          await sql.run('INSERT INTO secret_keys (key_id, wrapped) VALUES (?, ?)', [keyId, wrapped]);
          return true;
        })
        .then((stored) => {
          if (!stored) throw new Error(`key ${keyId}: there is one already`);
        }),
    get: async (keyId) => {
      const [row] = await query('SELECT wrapped FROM secret_keys WHERE key_id = ?', [keyId]);
      return row === undefined ? null : String(row.wrapped);
    },
    remove: (keyId) =>
      queue.work(async (sql) => {
        await sql.run('DELETE FROM secret_keys WHERE key_id = ?', [keyId]);
      }),
  };
}
