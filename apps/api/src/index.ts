/** The API: speaks Ironic's HTTP, turns requests into commands and the read model into answers. */
export { startApi, type ApiDeps, type RunningApi } from './start-api';
