import { until } from '../../../stack';
import { enrolled, type Shown, type Site, type SiteOf } from './site';

const WAIT = ['--wait', '60'] as const;

/** Accepted at once, carried out when the conductor gets to it. */
const becomes = ({ api }: Site, uuid: string, wanted: Shown): Promise<unknown> =>
  until(`${uuid} is ${JSON.stringify(wanted)}`, async () => {
    const node = await api.node(uuid);
    return (
      node['reservation'] === null &&
      Object.entries(wanted).every(([field, value]) => node[field as keyof typeof node] === value)
    );
  });

/** What a machine is asked beside power, boot device and lifecycle. */
export function walkManagement(siteOf: SiteOf): void {
  it('starts and stops the console', async () => {
    const { shell } = siteOf();
    const uuid = await enrolled(siteOf(), 'talking');
    const off = { console_enabled: false, console_info: null };
    expect(await shell.json('node', 'console', 'show', 'talking')).toEqual(off);
    await shell.done('node', 'console', 'enable', 'talking');
    await becomes(siteOf(), uuid, { console_enabled: true });
    const shown = await shell.json('node', 'console', 'show', 'talking');
    expect(shown).toEqual({ console_enabled: true, console_info: {} });
    await shell.done('node', 'console', 'disable', 'talking');
    await becomes(siteOf(), uuid, { console_enabled: false });
    expect(await shell.json('node', 'console', 'show', 'talking')).toEqual(off);
  });

  it('changes boot mode and secure boot, and injects an NMI', async () => {
    const { shell } = siteOf();
    const uuid = await enrolled(siteOf(), 'moded');
    await shell.done('node', 'boot', 'mode', 'set', 'moded', 'uefi');
    await becomes(siteOf(), uuid, { boot_mode: 'uefi' });
    await shell.done('node', 'secure', 'boot', 'on', 'moded');
    await becomes(siteOf(), uuid, { secure_boot: true });
    await shell.done('node', 'secure', 'boot', 'off', 'moded');
    await becomes(siteOf(), uuid, { secure_boot: false });
    expect(await shell.refused('node', 'boot', 'mode', 'set', 'nobody', 'bios')).toContain('404');
    await shell.done('node', 'inject', 'nmi', 'moded');
    expect(await shell.refused('node', 'inject', 'nmi', 'nobody')).toContain('404');
  });

  it('shows BIOS settings once the machine told of them', async () => {
    const { shell } = siteOf();
    const setting = { name: 'Virtualization', value: 'on', attribute_type: 'Enumeration' };
    await enrolled(siteOf(), 'setup', '--extra', `fake=${JSON.stringify({ bios: [setting] })}`);
    expect(await shell.json('node', 'bios', 'setting', 'list', 'setup')).toEqual([]);
    await shell.say('node', 'manage', ...WAIT, 'setup');
    const listed = await shell.json('node', 'bios', 'setting', 'list', 'setup');
    expect(listed).toEqual([{ 'BIOS setting name': 'Virtualization', 'BIOS setting value': 'on' }]);
    expect(await shell.json('node', 'bios', 'setting', 'show', 'setup', 'Virtualization')).toMatchObject(setting);
    expect(await shell.refused('node', 'bios', 'setting', 'show', 'setup', 'Turbo')).toContain('404');
  });

  it('lists and calls vendor methods', async () => {
    const { shell } = siteOf();
    await enrolled(siteOf(), 'vendored');
    const call = ['node', 'passthru', 'call'] as const;
    const listed = await shell.json<Shown[]>('node', 'passthru', 'list', 'vendored');
    expect(listed.map(({ Name }) => Name)).toEqual(['second_method', 'third_method_sync', 'fourth_method_shared_lock']);
    // This release of the client can show no answer but an object; what the method answers is no such.
    await shell.say(...call, 'vendored', 'third_method_sync', '--arg', 'bar=1');
    await shell.done(...call, 'vendored', 'second_method', '--arg', 'bar=1');
    expect(await shell.refused(...call, 'vendored', 'first_method')).toContain('400');
    expect(await shell.refused(...call, 'vendored', 'third_method_sync', '--http-method', 'GET')).toContain('400');
    expect(await shell.json('driver', 'passthru', 'list', 'fake-hardware')).toEqual([]);
    expect(await shell.refused('driver', 'passthru', 'call', 'fake-hardware', 'a_method')).toContain('400');
  });
}
