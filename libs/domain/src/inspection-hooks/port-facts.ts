import type { Nic, PortFacts, Progress } from './types';

/** The progress with something more known about the port of a NIC. */
export function withFact(progress: Progress, { mac_address: mac }: Nic, fact: PortFacts): Progress {
  const address = mac.toLowerCase();
  return { ...progress, facts: new Map([...progress.facts, [address, { ...progress.facts.get(address), ...fact }]]) };
}
