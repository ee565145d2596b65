import { gateOf } from '../resources';
import type { Operation } from './operation';

/** First minor API version that has the operation. */
export const minOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): number => gateOf(method, path)?.min ?? 1;
