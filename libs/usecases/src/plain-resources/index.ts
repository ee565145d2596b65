/** The one way in which plain resources are loaded, written and projected; their declarations say what differs. */
export { documentsWith, loadResource, resourceEventOf, resourceStreamId } from './load';
export type { LoadedResource } from './load';
export { keyValue, projectResource } from './project';
export { removalWrite, resourceWrite } from './write';
export type { ResourceWrite } from './write';
