import { gateOf } from '../resources';
import type { Operation } from './operation';

/** First minor API version that is served the operation: also what came later, where its version is not enforced. */
export function minOf({ method, path }: Pick<Operation, 'method' | 'path'>): number {
  const gate = gateOf(method, path);
  return gate && gate.below !== null ? gate.min : 1;
}
