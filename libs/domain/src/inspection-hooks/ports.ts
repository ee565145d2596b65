import { sameJson } from '../json';
import type { PortDocument } from '../port';
import type { Hook, HookOptions, Nic, NicSets } from './types';

/** What is written is decided when it is written, against the ports of that moment: see `portChanges`. */
export const ports: Hook = {
  after: ['validate-interfaces'],
  main: (progress) => ({ ...progress, wantsPorts: true }),
};

export interface PortChanges {
  readonly create: readonly (Partial<PortDocument> & Pick<PortDocument, 'address' | 'pxe_enabled' | 'extra'>)[];
  readonly change: readonly PortDocument[];
  /** UUIDs. */
  readonly remove: readonly string[];
}

const macOf = ({ mac_address: mac }: Nic): string => mac.toLowerCase();

const clientId = (nic: Nic | undefined): Record<string, unknown> =>
  typeof nic?.['client_id'] === 'string' && nic['client_id'] !== '' ? { 'client-id': nic['client_id'] } : {};

/** MACs whose ports stay; null: all of them. An empty set of expected ones removes nothing. */
function macsToKeep({ all, valid }: NicSets, keepPorts: HookOptions['keepPorts']): ReadonlySet<string> | null {
  if (keepPorts === 'all') return null;
  const expected = new Set((keepPorts === 'present' ? all : valid).map(macOf));
  return expected.size === 0 ? null : expected;
}

/**
 * What the NICs ask of the node's ports (contract: inspection.md §7.2). `taken` are MACs that ports of other nodes have: those
 * are left alone. An InfiniBand NIC has its client id in `extra`.
 */
export function portChanges(
  nics: NicSets,
  own: readonly PortDocument[],
  taken: ReadonlySet<string>,
  options: HookOptions,
): PortChanges {
  const nicOf = new Map(nics.all.map((nic) => [macOf(nic), nic]));
  const known = new Set(own.map(({ address }) => address));
  const wanted = new Map(nics.valid.map((nic) => [macOf(nic), nic]));
  const created = [...wanted].filter(([mac]) => !known.has(mac) && !taken.has(mac));
  const keep = macsToKeep(nics, options.keepPorts);
  const kept = own.filter(({ address }) => keep === null || keep.has(address));
  const updated = kept.map((port): PortDocument => {
    const pxe = options.updatePxeEnabled ? { pxe_enabled: port.address === nics.pxeMac } : {};
    return { ...port, ...pxe, extra: { ...port.extra, ...clientId(nicOf.get(port.address)) } };
  });
  return {
    create:
      options.addPorts === 'disabled'
        ? []
        : created.map(([address, nic]) => ({ address, pxe_enabled: nic.pxe_enabled, extra: clientId(nic) })),
    change: updated.filter((port, index) => !sameJson(port, kept[index])),
    remove: own.filter((port) => !kept.includes(port)).map(({ uuid }) => uuid),
  };
}
