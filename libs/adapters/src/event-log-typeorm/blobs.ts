import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { Blob } from '@lib/ports';
import type { PackedBlob } from './commit-appends';
import type { Query } from './sql';

const compress = promisify<Uint8Array, Buffer>(deflate);
const expand = promisify<Uint8Array, Buffer>(inflate);

export async function packBlobs(blobs: readonly Blob[]): Promise<PackedBlob[]> {
  return Promise.all(blobs.map(async ({ hash, bytes }) => ({ hash, packed: await compress(bytes) })));
}

export async function readBlob(query: Query, hash: string): Promise<Uint8Array | null> {
  const [row] = await query('SELECT bytes FROM blobs WHERE hash = ?', [hash]);
  return row === undefined ? null : new Uint8Array(await expand(row.bytes as Buffer));
}
