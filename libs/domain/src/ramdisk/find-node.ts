/** What the store knows of the addresses that a ramdisk sent. */
export interface Candidates {
  /** Asked for by UUID; null when no UUID was given. */
  readonly asked: string | null;
  /** Nodes that own a port with one of the MACs. */
  readonly byMac: readonly string[];
  /** Nodes in `inspect wait` whose BMC has one of the addresses. */
  readonly byBmc: readonly string[];
}

export type Found =
  | { readonly node: string }
  /** Nobody, or not for sure; the reason is for the operator's log only. */
  | { readonly node: null; readonly reason: string };

export type Readiness = 'yes' | 'soon' | 'no';

/**
 * The node that a ramdisk runs on (contract: inspection.md §6.3). Whatever contradicts itself finds nobody: a node could be
 * enrolled with somebody else's BMC address. `readiness` tells of a node whether it takes data, will when its start has come
 * through (it is looked for again then, so that its BMC counts), or does not.
 */
export function findNode({ asked, byMac, byBmc }: Candidates, readiness: (node: string) => Readiness): Found {
  const owners = [...new Set(byMac)];
  const matches = [...new Set(byBmc)];
  if (owners.length > 1) return nobody(`the MACs belong to several nodes: ${owners.join(', ')}`);
  const [owner = null] = owners;
  if (asked !== null && owner !== null && owner !== asked) {
    return nobody(`node ${asked} was named, but the MACs belong to node ${owner}`);
  }
  const known = owner ?? asked;
  if (known !== null) {
    const ready = readiness(known);
    if (ready === 'no') return nobody(`node ${known} does not wait for inspection data`);
    const contradicted = ready === 'yes' && matches.length > 0 && !matches.includes(known);
    return contradicted
      ? nobody(`the BMC addresses belong to ${matches.join(', ')}, not to node ${known}`)
      : { node: known };
  }
  if (matches.length > 1) return nobody(`the BMC addresses belong to several nodes: ${matches.join(', ')}`);
  const [match] = matches;
  return match === undefined ? nobody('nothing matches') : { node: match };
}

const nobody = (reason: string): Found => ({ node: null, reason });
