import { enrolled, goes, powerSettles, type Shown, type SiteOf } from './site';

/** Everything that is only written down: created, listed, shown, changed, emptied, deleted. */
export function walkResources(siteOf: SiteOf): void {
  it('chassis', async () => {
    const { shell } = siteOf();
    const made = await shell.json('chassis', 'create', '--description', 'Reihe 23 – Schrank ü', '--extra', 'row=23');
    const uuid = made['uuid'] as string;
    await shell.done('chassis', 'set', uuid, '--description', 'moved', '--extra', 'row=24', '--extra', 'a=1');
    await shell.done('chassis', 'unset', uuid, '--extra', 'a');
    expect(await shell.json('chassis', 'show', uuid)).toMatchObject({ description: 'moved', extra: { row: 24 } });
    await enrolled(siteOf(), 'in-chassis', '--chassis-uuid', uuid);
    const inside = await shell.json<Shown[]>('node', 'list', '--chassis', uuid);
    expect(inside.map(({ Name }) => Name)).toEqual(['in-chassis']);
    expect(await shell.refused('chassis', 'delete', uuid)).toContain('400');
    await shell.done('node', 'unset', 'in-chassis', '--chassis-uuid');
    await shell.done('chassis', 'unset', uuid, '--description');
    const listed = await shell.json<Shown[]>('chassis', 'list', '--long');
    expect(listed).toEqual([expect.objectContaining({ UUID: uuid, Description: null })]);
    await goes(siteOf(), ['chassis'], uuid);
  });

  it('ports and port groups', async () => {
    const { shell } = siteOf();
    const node = await enrolled(siteOf(), 'with-ports');
    const group = await shell.json(
      ...['port', 'group', 'create', '--node', node, '--name', 'bond.9', '--address', '52:54:00:AB:31:00'],
      ...['--mode', '802.3ad', '--property', 'miimon=100', '--extra', 'a=1', '--unsupport-standalone-ports'],
    );
    expect(group).toMatchObject({
      address: '52:54:00:ab:31:00',
      mode: '802.3ad',
      properties: { miimon: 100 },
      standalone_ports_supported: false,
    });
    const port = await shell.json(
      ...['port', 'create', '--node', node, '--port-group', group['uuid'] as string, '52:54:00:AB:31:01'],
      ...['--local-link-connection', 'switch_id=0A:1B:2C:3D:4E:5F', '--local-link-connection', 'port_id=Eth0/1'],
      ...['--pxe-enabled', 'false', '--physical-network', 'net1', '--extra', 'note=nul-free'],
    );
    const uuid = port['uuid'] as string;
    expect(port).toMatchObject({
      address: '52:54:00:ab:31:01',
      portgroup_uuid: group['uuid'],
      pxe_enabled: false,
      local_link_connection: { switch_id: '0a:1b:2c:3d:4e:5f', port_id: 'Eth0/1' },
    });
    const inGroup = await shell.json<Shown[]>('port', 'list', '--port-group', 'bond.9', '--long');
    expect(inGroup).toEqual([expect.objectContaining({ UUID: uuid, 'Physical Network': 'net1' })]);
    expect(await shell.json<Shown[]>('port', 'list', '--address', '52:54:00:ab:31:01')).toHaveLength(1);
    await shell.done('port', 'unset', uuid, '--port-group', '--physical-network', '--extra', 'note');
    await shell.done('port', 'set', uuid, '--pxe-enabled', '--address', '52:54:00:ab:31:09', '--extra', 'b=2');
    expect(await shell.json('port', 'show', '--address', '52:54:00:ab:31:09')).toMatchObject({
      uuid,
      pxe_enabled: true,
      portgroup_uuid: null,
      physical_network: null,
      extra: { b: 2 },
    });
    await shell.done('port', 'group', 'set', 'bond.9', '--mode', 'active-backup', '--support-standalone-ports');
    await shell.done('port', 'group', 'unset', 'bond.9', '--address', '--extra', 'a', '--property', 'miimon');
    const shown = await shell.json('port', 'group', 'show', 'bond.9');
    expect(shown).toMatchObject({ mode: 'active-backup', address: null, extra: {}, properties: {} });
    const groups = await shell.json<Shown[]>(
      'port',
      'group',
      'list',
      '--node',
      'with-ports',
      '--fields',
      'uuid',
      'name',
    );
    expect(groups).toEqual([{ UUID: group['uuid'], Name: 'bond.9' }]);
    await goes(siteOf(), ['port'], uuid);
    await goes(siteOf(), ['port', 'group'], 'bond.9');
  });

  it('volume connectors and targets', async () => {
    const { shell, api } = siteOf();
    const node = await enrolled(siteOf(), 'with-volumes');
    const connector = await shell.json(
      ...[
        'volume',
        'connector',
        'create',
        '--node',
        node,
        '--type',
        'iqn',
        '--connector-id',
        'iqn.2026-11.org.example:1',
      ],
      ...['--extra', 'a=1'],
    );
    const target = await shell.json(
      ...['volume', 'target', 'create', '--node', node, '--type', 'iscsi', '--boot-index', '0', '--volume-id', 'v-1'],
      ...['--property', 'auth_password=secret', '--property', 'lun=1'],
    );
    expect(target).toMatchObject({ boot_index: 0, properties: { lun: 1, auth_password: '******' } });
    const [one, other] = [connector['uuid'] as string, target['uuid'] as string];
    expect(await shell.refused('volume', 'connector', 'set', one, '--type', 'ip')).toContain('400');
    await shell.done('node', 'power', 'off', node);
    await powerSettles(api, node, 'power off');
    await shell.done(
      'volume',
      'connector',
      'set',
      one,
      '--type',
      'ip',
      '--connector-id',
      '192.0.2.7',
      '--extra',
      'b=2',
    );
    await shell.done('volume', 'connector', 'unset', one, '--extra', 'a');
    expect(await shell.json('volume', 'connector', 'show', one)).toMatchObject({ type: 'ip', extra: { b: 2 } });
    await shell.done('volume', 'target', 'set', other, '--boot-index', '1', '--extra', 'c=3');
    await shell.done('volume', 'target', 'unset', other, '--extra', 'c', '--property', 'lun');
    expect(await shell.json('volume', 'target', 'show', other)).toMatchObject({ boot_index: 1, extra: {} });
    for (const kind of ['connector', 'target']) {
      const listed = await shell.json<Shown[]>('volume', kind, 'list', '--node', 'with-volumes', '--long');
      expect(listed).toHaveLength(1);
    }
    await goes(siteOf(), ['volume', 'connector'], one);
    await goes(siteOf(), ['volume', 'target'], other);
  });

  it('deploy templates', async () => {
    const { shell } = siteOf();
    const steps = [{ interface: 'bios', step: 'apply_configuration', args: { settings: [] }, priority: 150 }];
    const file = shell.file('steps.json', JSON.stringify(steps));
    const made = await shell.json('deploy', 'template', 'create', 'CUSTOM_FAST', '--steps', file, '--extra', 'a=1');
    expect(made).toMatchObject({ name: 'CUSTOM_FAST', extra: { a: 1 } });
    const other = JSON.stringify([{ ...steps[0], priority: 10 }]);
    await shell.done('deploy', 'template', 'set', 'CUSTOM_FAST', '--name', 'CUSTOM_SLOW', '--steps', other);
    await shell.done('deploy', 'template', 'unset', 'CUSTOM_SLOW', '--extra', 'a');
    const shown = await shell.json<{ steps: unknown; extra: unknown }>('deploy', 'template', 'show', 'CUSTOM_SLOW');
    expect([shown.steps, shown.extra]).toEqual([[{ ...steps[0], priority: 10 }], {}]);
    const listed = await shell.json<Shown[]>('deploy', 'template', 'list');
    expect(listed).toEqual([{ UUID: made['uuid'], Name: 'CUSTOM_SLOW' }]);
    await goes(siteOf(), ['deploy', 'template'], 'CUSTOM_SLOW');
  });

  it('drivers and conductors', async () => {
    const { shell } = siteOf();
    const drivers = await shell.json<Shown[]>('driver', 'list', '--type', 'dynamic');
    const fake = drivers.find((driver) => driver['Supported driver(s)'] === 'fake-hardware');
    expect(await shell.json('driver', 'show', 'fake-hardware')).toMatchObject({
      name: 'fake-hardware',
      type: 'dynamic',
      hosts: fake?.['Active host(s)'],
      default_power_interface: 'fake',
    });
    expect(await shell.json<Shown[]>('driver', 'property', 'list', 'fake-hardware')).not.toEqual([]);
    expect(await shell.json<Shown[]>('driver', 'raid', 'property', 'list', 'fake-hardware')).toContainEqual({
      Property: 'raid_level',
      Description: expect.stringContaining('RAID'),
    });
    await shell.done('driver', 'passthru', 'list', 'fake-hardware');
    expect(await shell.refused('driver', 'show', 'unheard-of')).toContain('404');
    const [conductor] = await shell.json<Shown[]>('conductor', 'list', '--long');
    expect(conductor).toMatchObject({ Alive: true, 'Conductor Group': '' });
    const { Hostname: host } = conductor as { Hostname: string };
    expect(await shell.json('conductor', 'show', host)).toMatchObject({ hostname: host, alive: true });
  });

  it('lists as CSV, values and pages', async () => {
    const { shell } = siteOf();
    const names = ['page-1', 'page-2', 'page-3', 'page-4'];
    for (const name of names) await enrolled(siteOf(), name, '--resource-class', 'paged');
    const list = ['node', 'list', '--resource-class', 'paged', '--fields', 'name', 'driver'];
    const csv = (await shell.done(...list, '--limit', '3', '-f', 'csv')).trim().split('\n');
    expect(csv).toEqual(['"Name","Driver"', ...[1, 2, 3].map((n) => `"page-${n}","fake-hardware"`)]);
    // What is sorted here is sorted by the client itself.
    const [, second] = await shell.json<Shown[]>('node', 'list', '--resource-class', 'paged', '--sort', 'name:desc');
    expect(second).toMatchObject({ Name: 'page-2', 'Provisioning State': 'enroll' });
    const after = ['--marker', second!['UUID'] as string, '-f', 'value', '-c', 'Name'];
    expect(await shell.done(...list, ...after)).toBe('page-3\npage-4\n');
    // With the limit 0 the client walks from page to page by our `next`; the settings make them short.
    expect(await shell.done(...list, '--limit', '0', '-f', 'value', '-c', 'Name')).toBe(`${names.join('\n')}\n`);
    const gone = await shell.done('node', 'delete', ...names);
    expect(gone.trim().split('\n')).toHaveLength(names.length);
    expect(await shell.json(...list)).toEqual([]);
  });
}
