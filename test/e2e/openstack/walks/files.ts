import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../stack';
import type { Shown, SiteOf } from './site';

const fieldCase = (name: string): string =>
  readFileSync(join(__dirname, '..', '..', '..', 'contract-data', 'field-cases', name), 'utf8');

type Sled = Readonly<{ name: string; driver: string; ports: readonly { address: string }[] }>;

/** `openstack baremetal create FILE`. */
export function walkFiles(siteOf: SiteOf): void {
  it('creates nodes behind one BMC, and tells them from each other', async () => {
    const { shell, api } = siteOf();
    const text = fieldCase('nodes-shared-bmc.json');
    await shell.done('create', shell.file('nodes-shared-bmc.json', text));
    for (const node of (JSON.parse(text) as { nodes: Sled[] }).nodes) {
      const shown = await shell.json('node', 'show', node.name);
      const { ports, ...fields } = node;
      const masked = { driver_info: expect.objectContaining({ redfish_password: '******' }) };
      expect(shown).toMatchObject({ ...fields, ...masked, provision_state: 'enroll' });
      const listed = await shell.json<Shown[]>('port', 'list', '--node', node.name);
      expect(listed.map(({ Address }) => Address)).toEqual(ports.map(({ address }) => address));
    }
    const wrong = await api.send('POST', '/v1/continue_inspection', {
      inventory: { interfaces: [{ mac_address: '52:54:00:ff:ff:ff' }], bmc_v6address: '2001:db8:7::10' },
    });
    expect(wrong.status).toBe(404);
  });

  it('creates a chassis with all that is in it, in any script', async () => {
    const { shell, api } = siteOf();
    const file = JSON.parse(fieldCase('baremetal-create-unicode.json')) as {
      chassis: [{ description: string; nodes: [Record<string, unknown>] }];
    };
    // This release of the client refuses a description in a file by itself, and asks for nothing.
    const whole = shell.file('whole.json', JSON.stringify(file));
    expect(await shell.refused('create', whole)).toMatch(/description.* invalid/);
    const [chassis] = file.chassis;
    const { description, ...node } = chassis.nodes[0];
    const text = JSON.stringify({ chassis: [{ ...chassis, nodes: [node] }] });
    await shell.done('create', shell.file('unicode.json', text));
    await shell.done('node', 'set', 'n-unicode.json', '--description', description as string);
    const shown = await shell.json<{ extra: unknown; properties: unknown; chassis_uuid: string }>(
      ...['node', 'show', 'n-unicode.json'],
    );
    expect(shown).toMatchObject({ name: 'n-unicode.json', description });
    expect(JSON.stringify(shown.extra)).toBe(JSON.stringify(node['extra']));
    expect(shown.properties).toEqual(node['properties']);
    const holder = await shell.json('chassis', 'show', shown.chassis_uuid);
    expect(holder['description']).toBe(chassis.description);
    const groups = await shell.json<Shown[]>('port', 'group', 'list', '--node', 'n-unicode.json');
    expect(groups.map(({ Name }) => Name)).toEqual(['bond.1-2']);
    const ports = await shell.json<Shown[]>('port', 'list', '--port-group', 'bond.1-2', '--long', '--sort', 'address');
    expect(ports.map(({ Address }) => Address)).toEqual(['52:54:00:ab:31:01', '52:54:00:ab:31:02']);
    expect(ports[1]).toMatchObject({ 'PXE boot enabled': false, Extra: "note='nul-free'" });
    expect(await shell.done('node', 'delete', 'n-unicode.json')).toContain('Deleted');
    await until('its ports are gone', async () => {
      const { json } = await api.send('GET', '/v1/ports?address=52:54:00:ab:31:01');
      return (json as { ports: unknown[] }).ports.length === 0;
    });
  });
}
