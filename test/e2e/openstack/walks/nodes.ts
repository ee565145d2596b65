import { enrolled, goes, powerSettles, type Shown, type SiteOf } from './site';

/** What is set on a node and asked of it, in whatever state it is. */
export function walkNodes(siteOf: SiteOf): void {
  it('sets and unsets what a node is', async () => {
    const { shell } = siteOf();
    const network = JSON.stringify({ links: [], networks: [], services: [] });
    const uuid = await enrolled(
      ...([siteOf(), 'wide', '--driver-info', 'ipmi_password=secret', '--property', 'cpus=4'] as const),
      ...['--network-data', network, '--extra', 'a=1', '--no-automated-clean'],
    );
    await shell.done(
      ...['node', 'set', uuid, '--name', 'wider', '--resource-class', 'gold', '--owner', 'o', '--lessee', 'l'],
      ...['--instance-info', 'image_source=http://192.0.2.1/i', '--extra', 'b=2', '--conductor-group', ''],
      ...['--retired', '--retired-reason', 'old', '--inspect-interface', 'no-inspect', '--description', 'as bought'],
    );
    expect(await shell.json('node', 'show', 'wider')).toMatchObject({
      driver_info: { ipmi_password: '******' },
      automated_clean: false,
      network_data: JSON.parse(network) as unknown,
      resource_class: 'gold',
      owner: 'o',
      lessee: 'l',
      extra: { a: 1, b: 2 },
      description: 'as bought',
      retired: true,
      retired_reason: 'old',
      inspect_interface: 'no-inspect',
    });
    expect(await shell.json<Shown[]>('node', 'list', '--retired', '--owner', 'o')).toHaveLength(1);
    await shell.done(
      ...['node', 'unset', 'wider', '--resource-class', '--owner', '--lessee', '--extra', 'b', '--property', 'cpus'],
      ...['--instance-info', 'image_source', '--retired', '--network-data', '--description', '--automated-clean'],
      ...['--inspect-interface'],
    );
    expect(await shell.json('node', 'show', 'wider')).toMatchObject({
      resource_class: null,
      owner: null,
      extra: { a: 1 },
      properties: {},
      instance_info: {},
      retired: false,
      retired_reason: null,
      network_data: {},
      description: null,
      automated_clean: null,
      inspect_interface: 'agent',
    });
    expect(await shell.refused('node', 'set', 'wider', '--driver', 'unheard-of')).toContain('400');
    await shell.done('node', 'set', 'wider', '--driver', 'fake-hardware', '--reset-interfaces');
    await goes(siteOf(), ['node'], 'wider');
  });

  it('adds and removes traits', async () => {
    const { shell } = siteOf();
    await enrolled(siteOf(), 'trained');
    await shell.done('node', 'add', 'trait', 'trained', 'CUSTOM_A', 'CUSTOM_B', 'HW_CPU_X86_VMX');
    await shell.done('node', 'remove', 'trait', 'trained', 'CUSTOM_B');
    const listed = await shell.json<Shown[]>('node', 'trait', 'list', 'trained');
    expect(listed.map(({ Traits }) => Traits)).toEqual(['CUSTOM_A', 'HW_CPU_X86_VMX']);
    expect(await shell.refused('node', 'add', 'trait', 'trained', 'lower')).toContain('400');
    await shell.done('node', 'remove', 'trait', 'trained', '--all');
    expect(await shell.json('node', 'trait', 'list', 'trained')).toEqual([]);
  });

  it('puts a node into maintenance, and takes it out', async () => {
    const { shell } = siteOf();
    await enrolled(siteOf(), 'resting');
    await shell.done('node', 'maintenance', 'set', 'resting', '--reason', "it's late");
    const [listed] = await shell.json<Shown[]>('node', 'list', '--maintenance');
    expect(listed).toMatchObject({ Name: 'resting', Maintenance: true });
    const shown = await shell.json('node', 'show', 'resting', '--fields', 'maintenance', 'maintenance_reason');
    expect(shown).toEqual({ maintenance: true, maintenance_reason: "it's late" });
    await shell.done('node', 'maintenance', 'unset', 'resting');
    expect(await shell.json('node', 'list', '--maintenance')).toEqual([]);
  });

  it('turns power, and boots from what is asked', async () => {
    const { shell, api } = siteOf();
    const uuid = await enrolled(siteOf(), 'powered');
    await shell.done('node', 'power', 'on', uuid);
    await powerSettles(api, uuid, 'power on');
    await shell.done('node', 'reboot', uuid, '--soft', '--power-timeout', '30');
    await powerSettles(api, uuid, 'power on');
    await shell.done('node', 'power', 'off', uuid, '--soft');
    await powerSettles(api, uuid, 'power off');
    expect(await shell.json('node', 'boot', 'device', 'show', uuid, '--supported')).toEqual({
      supported_boot_devices: 'pxe',
    });
    await shell.done('node', 'boot', 'device', 'set', uuid, 'pxe');
    expect(await shell.json('node', 'boot', 'device', 'show', uuid)).toMatchObject({ boot_device: 'pxe' });
    expect(await shell.refused('node', 'boot', 'device', 'set', uuid, 'cdrom')).toContain('400');
  });

  it('validates, and attaches networks', async () => {
    const { shell } = siteOf();
    await enrolled(siteOf(), 'checked');
    const checks = await shell.json<Shown[]>('node', 'validate', 'checked');
    expect(checks.find((check) => check['Interface'] === 'power')).toMatchObject({ Result: true });
    await shell.done('node', 'vif', 'attach', 'checked', 'net-1', '--vif-info', 'a=1');
    expect(await shell.json('node', 'vif', 'list', 'checked')).toEqual([]);
    await shell.done('node', 'vif', 'detach', 'checked', 'net-1');
  });
}
