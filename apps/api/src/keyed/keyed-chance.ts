import { createHash } from 'node:crypto';
import type { Chance, TransportBox } from '@lib/ports';
import { derivedUuid } from './key';

/**
 * What a handler draws under a key: always the same, so that two runs of one request make one resource and one token. Nobody
 * who lacks the services' master key can tell it from the key.
 */
export function keyedChance(commandId: string, transport: TransportBox, chance: Chance): Chance {
  let drawn = 0;
  const next = (): string => transport.fingerprint(`${commandId} ${(drawn += 1)}`);
  return {
    uuid: () => derivedUuid(next()),
    bytes: (length) => expanded(next(), length),
    random: () => chance.random(),
  };
}

function expanded(seed: string, length: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(`${seed} ${at}`, 'utf8').digest(),
  );
  return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
}
