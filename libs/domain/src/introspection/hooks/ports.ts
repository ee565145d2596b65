import { normaliseMac } from '../addresses';
import type { NicSets } from './interfaces';
import type { HookOptions } from './options';

export interface PortFacts {
  readonly uuid: string;
  readonly address: string;
  readonly pxeEnabled: boolean;
}

export interface PortChanges {
  readonly create: readonly {
    readonly address: string;
    readonly pxeEnabled: boolean;
    readonly clientId: string | null;
  }[];
  readonly setPxeEnabled: readonly { readonly uuid: string; readonly pxeEnabled: boolean }[];
  readonly remove: readonly string[];
}

const macsToKeep = (nics: NicSets, keepPorts: HookOptions['keepPorts']): Set<string> | null => {
  if (keepPorts === 'all') return null;
  return new Set([...(keepPorts === 'present' ? nics.all : nics.valid).values()].map((nic) => nic.mac));
};

/** What the data asks of the node's ports (contract: inspection.md §7.2; inspector-api.md §3.7). */
export const portChanges = (nics: NicSets, ports: readonly PortFacts[], options: HookOptions): PortChanges => {
  const known = new Set(ports.map((port) => normaliseMac(port.address)));
  const wanted = new Map([...nics.valid.values()].map((nic) => [nic.mac, nic]));
  const keep = macsToKeep(nics, options.keepPorts);
  const kept = ports.filter((port) => keep === null || keep.has(port.address.toLowerCase()));
  const pxeMacs = new Set([...nics.all.values()].filter((nic) => nic.pxe).map((nic) => nic.mac));
  const changedPxe = kept
    .map((port) => ({ uuid: port.uuid, was: port.pxeEnabled, pxeEnabled: pxeMacs.has(port.address.toLowerCase()) }))
    .filter((port) => port.was !== port.pxeEnabled);
  return {
    create:
      options.addPorts === 'disabled'
        ? []
        : [...wanted.values()]
            .filter((nic) => !known.has(nic.mac))
            .map((nic) => ({ address: nic.mac, pxeEnabled: nic.pxe, clientId: nic.client_id })),
    setPxeEnabled: options.updatePxeEnabled ? changedPxe.map(({ uuid, pxeEnabled }) => ({ uuid, pxeEnabled })) : [],
    remove: ports.filter((port) => !kept.includes(port)).map((port) => port.uuid),
  };
};
