/** Pictures of the state table, for docs/; nothing at run time needs them. */
export { inspectionMermaid, statesMermaid } from './mermaid';
export { statesPage } from './page';
export { statesSvg } from './svg';
