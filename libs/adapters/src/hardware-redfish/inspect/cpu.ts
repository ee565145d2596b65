import type { JsonObject } from '@lib/domain';
import { numberIn, textIn } from '../wire';

/** contract: redfish.md §4; what is not named here, OEM sets included, reads as "". */
const architectures: Readonly<Record<string, string>> = {
  'x86-64': 'x86_64',
  x86: 'i686',
  'ARM-A64': 'aarch64',
  'ARM-A32': 'arm',
  'IA-64': 'ia64',
  MIPS32: 'mips',
  MIPS64: 'mips64',
};

/** `inventory.cpu`: the threads of all, the rest of the first. Frequencies are texts, as ramdisks have them (RULE). */
export function cpuOf(processors: readonly JsonObject[]): JsonObject {
  const [first = {}] = processors;
  const model = textIn(first, 'Model');
  const mhz = numberIn(first, 'MaxSpeedMHz');
  return {
    count: processors.reduce((sum, one) => sum + (numberIn(one, 'TotalThreads') ?? 0), 0),
    architecture: architectures[textIn(first, 'InstructionSet') ?? ''] ?? '',
    ...(model === null ? {} : { model_name: model }),
    ...(mhz === null ? {} : { frequency: String(mhz) }),
  };
}
