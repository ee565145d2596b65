/** Every operation that the api serves. `apps/api/src/openapi` compares them with its routes, in both directions. */
import { plainKinds } from '../resources';
import { minOf } from './gates';
import { managementOperations } from './management-operations';
import { nodeOperations } from './node-operations';
import { nodePartOperations } from './node-part-operations';
import type { Operation } from './operation';
import { otherOperations } from './other-operations';
import { ownOperations } from './own-operations';
import { plainOperations } from './plain-operations';

export const operations: readonly Operation[] = [
  ...ownOperations,
  ...nodeOperations,
  ...nodePartOperations,
  ...managementOperations,
  ...plainKinds.flatMap(plainOperations),
  ...otherOperations,
];

export const operationsAt = (minor: number): Operation[] =>
  operations.filter((one) => minOf(one) <= minor || one.alsoAt === minor);
