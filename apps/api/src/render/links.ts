/** contract: node-api.md §1 (link object); errors-and-negotiation.md §2 */
export interface Link {
  readonly href: string;
  readonly rel: string;
}

/** The pair that every resource carries: self under /v1, bookmark without. */
export function linkPair(publicUrl: string, path: string): Link[] {
  return [
    { href: `${publicUrl}/v1/${path}`, rel: 'self' },
    { href: `${publicUrl}/${path}`, rel: 'bookmark' },
  ];
}
