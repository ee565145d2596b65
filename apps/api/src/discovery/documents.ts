/** contract: errors-and-negotiation.md §2; microversions.json v1_document_links */
import { MINOR_MAX, MINOR_MIN, v1DocumentLinks } from '@lib/contracts';
import { linkPair } from '../render';

const versionDocument = (publicUrl: string): object => ({
  id: 'v1',
  links: [{ href: `${publicUrl}/v1/`, rel: 'self' }],
  status: 'CURRENT',
  min_version: `1.${MINOR_MIN}`,
  version: `1.${MINOR_MAX}`,
});

export const rootDocument = (publicUrl: string): object => ({
  name: 'OpenStack Ironic API',
  description: 'Bare metal nodes, spoken in the OpenStack Bare Metal API and kept as event logs by ferrolog.',
  default_version: versionDocument(publicUrl),
  versions: [versionDocument(publicUrl)],
});

export function v1Document(publicUrl: string, minor: number): object {
  const resources = Object.entries(v1DocumentLinks).filter(([, min]) => min <= minor);
  return {
    id: 'v1',
    links: [
      { href: `${publicUrl}/v1/`, rel: 'self' },
      // The doubled slashes are the field's; clients compare documents literally.
      {
        href: 'https://docs.openstack.org//ironic/latest/contributor//webapi.html',
        rel: 'describedby',
        type: 'text/html',
      },
    ],
    media_types: { base: 'application/json', type: 'application/vnd.openstack.ironic.v1+json' },
    version: versionDocument(publicUrl),
    ...Object.fromEntries(resources.map(([name]) => [name, linkPair(publicUrl, `${name}/`)])),
  };
}
