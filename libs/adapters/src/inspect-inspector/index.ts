export { inspectorInterface } from './inspector-interface';
export type { InspectorInterfaceDeps } from './inspector-interface';
export { lookupBmcAddresses } from './lookup-bmc-addresses';
export type { LookupDeps, ResolveHost } from './lookup-bmc-addresses';
