export { InterfacesByName } from './interfaces-by-name';
export { loadExtensions, noExtensions } from './load-extensions';
export type { LoadedExtensions } from './load-extensions';
export { comesFrom, containStrayErrors } from './stray-errors';
