import type { InterfaceType } from '@lib/domain';
import type { HardwareRegistry, Machine } from '@lib/ports';
import type { InterfacesByName } from '../extensions';
import { unsupported } from '../hardware-refusing';

type Interfaces = Omit<HardwareRegistry, 'validateAll'>;
type Verdicts = ReturnType<HardwareRegistry['validateAll']>;

/** In the order of the contract; `vendor` is not among them (contract: node-api.md §14). */
const validated: readonly InterfaceType[] = [
  'bios',
  'boot',
  'console',
  'deploy',
  'firmware',
  'inspect',
  'management',
  'network',
  'power',
  'raid',
  'rescue',
  'storage',
];

/** Interfaces without calls of their own that accept every machine. */
const accepting: Readonly<Partial<Record<InterfaceType, readonly string[]>>> = {
  storage: ['noop', 'fake'],
};

function problemOf(kind: InterfaceType, name: string, machine: Machine, interfaces: Interfaces): string | null {
  switch (kind) {
    case 'boot':
      return interfaces.boot(name).validate(machine);
    case 'network':
      return interfaces.network(name).validate(machine);
    case 'inspect':
      return interfaces.inspect(name).validate(machine);
    case 'management':
      return interfaces.management(name).validate(machine);
    case 'power':
      return interfaces.power(name).validate(machine);
    case 'bios':
    case 'firmware': {
      const parts = interfaces.parts(kind, name);
      return parts ? parts.validate(machine) : unsupported(name, kind);
    }
    case 'console':
      return interfaces.acting('console', name).validate(machine);
    case 'raid': {
      const raid = interfaces.raid(name);
      return raid ? raid.validate(machine) : unsupported(name, kind);
    }
    case 'deploy':
      return deployProblem(name, machine);
    default:
      return (accepting[kind] ?? ['fake']).includes(name) ? null : unsupported(name, kind);
  }
}

function deployProblem(name: string, { instanceInfo }: Machine): string | null {
  if (name === 'fake') return null;
  if (name !== 'direct' || instanceInfo['image_source']) return unsupported(name, 'deploy');
  return 'Cannot validate image information for the node: instance_info lacks image_source.';
}

export function validateAll(
  machine: Machine,
  interfaces: Readonly<Record<string, string>>,
  registry: Interfaces,
  added: InterfacesByName,
): Verdicts {
  return Object.fromEntries(
    validated.map((kind) => {
      const name = interfaces[`${kind}`] ?? 'none';
      const own = kind === 'storage' ? null : added.get(kind, name);
      const reason = own ? own.validate(machine) : problemOf(kind, name, machine, registry);
      return [kind, reason === null ? { result: true } : { result: false, reason }];
    }),
  );
}
