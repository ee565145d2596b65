import { isInNetwork, parseIp, parseNetwork } from '../introspection/addresses';
import { textAt } from '../introspection/json';
import { withFact } from './port-facts';
import type { Hook, Nic, PhysicalNetwork } from './types';

/** `192.0.2.0/24` or an address alone. */
export const isNetwork = (text: string): boolean => parseNetwork(text) !== null;

function networkOf(address: string | null, networks: readonly PhysicalNetwork[]): string | undefined {
  const ip = address === null ? null : parseIp(address);
  if (!ip) return undefined;
  return networks.find(({ subnet }) => {
    const known = parseNetwork(subnet);
    return known !== null && isInNetwork(ip, known);
  })?.network;
}

/** IPv4 is looked at first (contract: inspection.md §7). */
const networkOfNic = (nic: Nic, networks: readonly PhysicalNetwork[]): string | undefined =>
  networkOf(textAt(nic, 'ipv4_address'), networks) ?? networkOf(textAt(nic, 'ipv6_address'), networks);

export const physicalNetwork: Hook = {
  after: ['validate-interfaces'],
  main(progress, { options }) {
    return (progress.nics?.all ?? []).reduce((before, nic) => {
      const network = networkOfNic(nic, options.physicalNetworks ?? []);
      return network === undefined ? before : withFact(before, nic, { physicalNetwork: network });
    }, progress);
  },
};
