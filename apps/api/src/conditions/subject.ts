/** What a path is about: the kind of the stored document whose version its answers and conditions speak of. */
import { plainKinds, plainResources } from '@lib/contracts';
import type { DocumentKind } from '@lib/ports';

export interface Subject {
  readonly kind: DocumentKind;
  /** What is answered follows from that document alone, so that it has a tag. */
  readonly isTagged: boolean;
}

/** Parts of a node that are shown from one document. Lists and what only the machine knows have no version. */
const partsOfNodes: Readonly<Record<string, DocumentKind>> = {
  'nodes/{ident}': 'node',
  'nodes/{ident}/states': 'node',
  'nodes/{ident}/states/console': 'node',
  'nodes/{ident}/traits': 'node',
  'nodes/{ident}/inventory': 'node_inventory',
  'nodes/{ident}/history/{uuid}': 'node_history',
  'nodes/{ident}/allocation': 'allocation',
};

/** `path` is a pattern of the router, or of this server's own paths below a node. */
export function subjectOf(method: string, path: string): Subject | null {
  const isCreation = method === 'POST';
  if (path.startsWith('ferrolog/v1/nodes/{ident}/')) return { kind: 'node', isTagged: false };
  if (path === 'nodes') return isCreation ? { kind: 'node', isTagged: true } : null;
  if (path.startsWith('nodes/{ident}')) {
    const part = partsOfNodes[path];
    return { kind: part ?? 'node', isTagged: part !== undefined && shows(method, path) };
  }
  const kind = plainKinds.find((one) => isIn(plainResources[one].path, path));
  if (kind === undefined) return null;
  const below = path.slice(plainResources[kind].path.length);
  if (below === '') return isCreation ? { kind, isTagged: true } : null;
  const isTagged = shows(method, path) && /^\/\{(?:ident|uuid)\}(?:\/traits)?$/.test(below);
  return { kind, isTagged };
}

const isIn = (collection: string, path: string): boolean => path === collection || path.startsWith(`${collection}/`);

/** PATCH answers with the resource itself. */
const shows = (method: string, path: string): boolean =>
  method === 'GET' || (method === 'PATCH' && /^[^{]+\{(?:ident|uuid)\}$/.test(path));
