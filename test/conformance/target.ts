import { httpCall, type Answer } from '../stack';
import { dig } from './dig';

export type ServiceName = 'ironic' | 'inspector';

/** The server under test: its addresses and what it says of itself. */
export interface Target {
  readonly urls: Readonly<Partial<Record<ServiceName, string>>>;
  /** Newest API version it offers. */
  readonly maxVersion: string | null;
  /** Host name of its first conductor. */
  readonly conductor: string | null;
  /** It is ours: its answers are to be as libs/contracts/src/openapi describes them. */
  readonly described?: boolean;
}

export const versionHeader = (version: string): Record<string, string> => ({
  'X-OpenStack-Ironic-API-Version': version,
});

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Asks a server for its newest version and its conductor's host. */
export const discover = async (ironic: string, inspector?: string): Promise<Target> => {
  const base = ironic.replace(/\/$/, '');
  const document = await httpCall(base, { method: 'GET', path: '/v1' });
  const conductors = await httpCall(base, { method: 'GET', path: '/v1/conductors', headers: versionHeader('1.49') });
  return {
    urls: { ironic: base, ...(inspector === undefined ? {} : { inspector: inspector.replace(/\/$/, '') }) },
    maxVersion:
      document.headers['x-openstack-ironic-api-maximum-version'] ?? text(dig(document.json, 'version.version')),
    conductor: text(dig(conductors.json, 'conductors.0.hostname')),
  };
};

export const urlOf = (target: Target, service: ServiceName): string => {
  const url = target.urls[service];
  if (url === undefined) throw new Error(`no address for ${service}`);
  return url;
};

export type { Answer };
