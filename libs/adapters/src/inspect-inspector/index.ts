export { inspectorInterface } from './inspector-interface';
export type { InspectorInterfaceDeps } from './inspector-interface';
export type { ResolveHost } from './lookup-bmc-addresses';
