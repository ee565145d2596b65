export { inspectorInterface } from './inspector-interface';
export type { InspectorInterfaceDeps } from './inspector-interface';
export { lookupBmcAddresses } from './lookup-bmc-addresses';
export type { LookupDeps, ResolveHost } from './lookup-bmc-addresses';
export type { InspectorTransport } from './inspector-transport';
export { overBus } from './over-bus';
export { overHttp } from './over-http';
export type { HttpPeer, InspectorCredentials } from './over-http';
