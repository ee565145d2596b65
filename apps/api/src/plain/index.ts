/** The one controller of plain resources; each kind adds its declaration and a few hooks. */
export { asReference, checkVersions } from './change';
export { findResource, readResource } from './find';
export { listResources, listResourcesInDetail } from './list';
export type { Part } from './list';
export { plainApi } from './plain-api';
export type { PlainApi, PlainHooks } from './plain-api';
export { resourceText, resourceTexts } from './render';
export { nodeRoutes, plainRoutes } from './routes';
