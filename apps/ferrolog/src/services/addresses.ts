import type { LoadedSettings } from '@lib/adapters/settings-file';

/** Where this machine's API listens; every address of the machine includes the loopback one. */
export const apiAddress = (loaded: LoadedSettings): string => addressAt(loaded, loaded.runtime.ports.api);

/** Where the inspector listens, which is beside the API. */
export const inspectorAddress = (loaded: LoadedSettings): string => addressAt(loaded, loaded.runtime.ports.inspector);

function addressAt({ settings }: LoadedSettings, port: number): string {
  const { host_ip: host } = settings.api;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
