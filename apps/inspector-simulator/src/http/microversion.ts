import { invalid } from '@lib/domain/introspection';

/** Versions of the retired service (contract: inspector-api.md §1). */
export const MINOR_MAX = 18;
export const OWN_HEADER = 'x-openstack-ironic-inspector-api-version';
const STANDARD_HEADER = 'openstack-api-version';
const SERVICE = 'baremetal-introspection';

export const versionHeaders: Readonly<Record<string, string>> = {
  'X-OpenStack-Ironic-Inspector-API-Minimum-Version': '1.0',
  'X-OpenStack-Ironic-Inspector-API-Maximum-Version': `1.${MINOR_MAX}`,
};

export class VersionNotAcceptable extends Error {
  constructor(version: string) {
    super(`API version ${version} is not supported; supported are 1.0 to 1.${MINOR_MAX}`);
    this.name = 'VersionNotAcceptable';
  }
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const asked = (headers: Headers): string | null => {
  const own = headers[OWN_HEADER];
  if (own !== undefined) return String(own).trim();
  const entries = String(headers[STANDARD_HEADER] ?? '').split(',');
  const ours = entries
    .map((entry) => entry.trim().split(/\s+/))
    .find(([service]) => service?.toLowerCase() === SERVICE);
  return ours ? (ours[1] ?? '') : null;
};

/**
 * Minor version in force: none asked means the newest, unlike in the Bare Metal API.
 * @throws InspectorRefusal INVALID when malformed, VersionNotAcceptable out of range
 */
export const minorVersion = (headers: Headers): number => {
  const version = asked(headers);
  if (version === null || version.toLowerCase() === 'latest') return MINOR_MAX;
  const match = /^(\d{1,9})\.(\d{1,9})$/.exec(version);
  if (!match) throw invalid(`"${version}" is not an API version`);
  if (match[1] !== '1' || Number(match[2]) > MINOR_MAX) throw new VersionNotAcceptable(version);
  return Number(match[2]);
};
