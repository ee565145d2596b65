import type { LoadedSettings } from '@lib/adapters/settings-file';

/** Where this machine's API listens; every address of the machine includes the loopback one. */
export function apiAddress({ settings, runtime }: LoadedSettings): string {
  const { host_ip: host } = settings.api;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${runtime.ports.api}`;
}
