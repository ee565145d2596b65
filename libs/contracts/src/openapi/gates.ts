import { endpointGates } from '../resources';
import type { Operation } from './operation';

/** `{ident}` and `{uuid}` say how a member is addressed; for a gate a parameter is a parameter. */
const unnamed = (path: string): string => path.replace(/\{name\}@\{component\}/, '{}').replace(/\{\w+\}/g, '{}');

const gated = endpointGates.map(({ method, path, min }) => ({ method, path: unnamed(path), min }));

const own = (method: string, path: string): number | undefined =>
  gated.find((one) => one.path === path && (one.method === method || one.method === '*'))?.min;

const oldest = (path: string): number | undefined => {
  const mins = gated.filter((one) => one.path === path).map(({ min }) => min);
  return mins.length === 0 ? undefined : Math.min(...mins);
};

/**
 * First minor API version that has the operation. What has no gate of its own came with its path, or with what it lies
 * under.
 */
export function minOf({ method, path }: Pick<Operation, 'method' | 'path'>): number {
  const looked = unnamed(path);
  for (let at = looked; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const min = own(method, at) ?? oldest(at);
    if (min !== undefined) return min;
  }
  return 1;
}
