import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BootInterface, Call } from '@lib/ports';
import { aMachine } from '@lib/testing/a-machine';
import { pxeBoot } from './index';
import type { PxeSettings } from './index';

const NODE = '6d9b7c2e-3f3a-4f0e-9b1a-0c5d5e0f7a11';
const OTHER = '7d9b7c2e-3f3a-4f0e-9b1a-0c5d5e0f7a11';
const MAC = '52:54:00:00:00:01';
const call: Call = { signal: new AbortController().signal, stillStands: () => Promise.resolve() };

const machine = aMachine({
  uuid: NODE,
  driverInfo: { deploy_kernel: 'http://images/ipa.kernel', deploy_ramdisk: 'http://images/ipa.initramfs' },
  bootInterface: 'ipxe',
  attempt: 3,
  managedBoot: 'ipxe',
  ports: [
    { address: MAC.toUpperCase(), pxeEnabled: true },
    { address: '52:54:00:00:00:02', pxeEnabled: false },
    { address: '52:54:00:00:00:03', pxeEnabled: true },
  ],
});
const parameters = ['ipa-inspection-callback-url=http://192.0.2.1:6385/v1/continue_inspection', 'nomodeset'];

let root: string;
let devices: unknown[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'boot-'));
  devices = [];
});
afterEach(() => rmSync(root, { recursive: true }));

function opened(name: 'pxe' | 'ipxe', rest: Partial<PxeSettings> = {}): BootInterface {
  const settings = { tftpRoot: root, httpRoot: root, httpUrl: null, deployKernel: null, deployRamdisk: null, ...rest };
  return pxeBoot(name, settings, () => ({
    setBootDevice: async (_machine, device, persistent) => void devices.push({ device, persistent }),
  }));
}

const found = (): string[] => readdirSync(join(root, 'pxelinux.cfg')).sort();
const textOf = (name: string): string => readFileSync(join(root, 'pxelinux.cfg', name), 'utf8');

describe('preparing a ramdisk', () => {
  it('writes an iPXE script for each port that is enabled for PXE, and sets the boot device', async () => {
    const set = await opened('ipxe').prepareRamdisk(machine, parameters, call);
    expect(found()).toEqual(['52-54-00-00-00-01', '52-54-00-00-00-03']);
    expect(textOf('52-54-00-00-00-01')).toBe(
      [
        '#!ipxe',
        `# Written for inspection 3 of node ${NODE}; removed when it ends.`,
        `kernel http://images/ipa.kernel initrd=ramdisk ${parameters.join(' ')} BOOTIF=01-52-54-00-00-00-01`,
        'initrd --name ramdisk http://images/ipa.initramfs',
        'boot',
        '',
      ].join('\n'),
    );
    expect(textOf('52-54-00-00-00-03')).toContain('BOOTIF=01-52-54-00-00-00-03');
    expect([set, devices]).toEqual([{ device: 'pxe', persistent: false }, [{ device: 'pxe', persistent: false }]]);
  });

  it('writes a configuration for pxelinux, under the name that it looks for', async () => {
    await opened('pxe').prepareRamdisk(machine, parameters, call);
    expect(found()).toEqual(['01-52-54-00-00-00-01', '01-52-54-00-00-00-03']);
    expect(textOf('01-52-54-00-00-00-01').split('\n').slice(1)).toEqual([
      'DEFAULT inspection',
      'PROMPT 0',
      'LABEL inspection',
      '  KERNEL http://images/ipa.kernel',
      `  APPEND initrd=http://images/ipa.initramfs ${parameters.join(' ')} BOOTIF=01-52-54-00-00-00-01`,
      '',
    ]);
  });

  it('is readable by a server that runs as somebody else, and leaves no drafts', async () => {
    await opened('ipxe').prepareRamdisk(machine, parameters, call);
    expect(statSync(join(root, 'pxelinux.cfg', '52-54-00-00-00-01')).mode & 0o444).toBe(0o444);
    expect(readdirSync(join(root, 'ferrolog', NODE, '3')).sort()).toEqual(found());
    expect(found().every((name) => !readlinkSync(join(root, 'pxelinux.cfg', name)).startsWith('/'))).toBe(true);
  });

  it('may be done again for the same attempt, after a conductor that died on the way', async () => {
    const boot = opened('ipxe');
    await boot.prepareRamdisk(machine, ['a=1'], call);
    await boot.prepareRamdisk(machine, ['a=2'], call);
    expect(textOf('52-54-00-00-00-01')).toContain(' a=2 ');
    await boot.cleanUpRamdisk(machine, call);
    expect(found()).toEqual([]);
  });

  it('by two conductors at once leaves whole files', async () => {
    const boot = opened('ipxe');
    await Promise.all(Array.from({ length: 8 }, () => boot.prepareRamdisk(machine, parameters, call)));
    expect(found()).toHaveLength(2);
    for (const name of found()) expect(textOf(name)).toMatch(/boot\n$/);
  });

  it('is stopped before the boot device when the inspection no longer stands', async () => {
    const over = { ...call, stillStands: () => Promise.reject(new Error('over')) };
    await expect(opened('ipxe').prepareRamdisk(machine, parameters, over)).rejects.toThrow('over');
    expect(devices).toEqual([]);
  });

  it('does not touch the boot file that somebody else wrote for a machine', async () => {
    mkdirSync(join(root, 'pxelinux.cfg'));
    writeFileSync(join(root, 'pxelinux.cfg', '52-54-00-00-00-01'), 'mine');
    await expect(opened('ipxe').prepareRamdisk(machine, parameters, call)).rejects.toThrow(
      'was not written for an inspection',
    );
    expect(textOf('52-54-00-00-00-01')).toBe('mine');
    await opened('ipxe').cleanUpRamdisk(machine, call);
    expect(textOf('52-54-00-00-00-01')).toBe('mine');
  });

  it.each([
    ['a MAC that is a path', { ports: [{ address: '../../../etc/x', pxeEnabled: true }] }],
    ['a MAC that is long', { ports: [{ address: `${MAC}:00`, pxeEnabled: true }] }],
    ['a node that is a path', { uuid: '../../etc' }],
    ['a node in capitals', { uuid: NODE.toUpperCase() }],
  ])('with %s writes nothing outside of its folders', async (_what, odd) => {
    const before = readdirSync(join(root, '..')).length;
    await expect(opened('ipxe').prepareRamdisk({ ...machine, ...odd }, parameters, call)).rejects.toThrow('is not');
    expect(readdirSync(root).every((name) => ['ferrolog', 'pxelinux.cfg'].includes(name))).toBe(true);
    if (readdirSync(root).includes('pxelinux.cfg')) expect(found()).toEqual([]);
    expect(readdirSync(join(root, '..')).length).toBe(before);
  });

  it('says where it could not write', async () => {
    writeFileSync(join(root, 'file'), '');
    const boot = opened('ipxe', { httpRoot: join(root, 'file') });
    await expect(boot.prepareRamdisk(machine, parameters, call)).rejects.toThrow(/ENOTDIR/);
  });
});

describe('cleaning up after a ramdisk', () => {
  it('takes everything away, and nothing is left to do the second time', async () => {
    const boot = opened('ipxe');
    await boot.prepareRamdisk(machine, parameters, call);
    await boot.cleanUpRamdisk(machine, call);
    await boot.cleanUpRamdisk(machine, call);
    expect([found(), readdirSync(join(root, 'ferrolog'))]).toEqual([[], []]);
  });

  it('knows the files also when the ports have changed since', async () => {
    const boot = opened('pxe');
    await boot.prepareRamdisk(machine, parameters, call);
    await boot.cleanUpRamdisk({ uuid: NODE, attempt: 3 }, call);
    expect(found()).toEqual([]);
  });

  it('leaves what a newer attempt has prepared; a newer attempt takes older files away', async () => {
    const boot = opened('ipxe');
    await boot.prepareRamdisk(machine, parameters, call);
    const fewer = { ...machine, attempt: 4, ports: machine.ports.slice(0, 1) };
    await boot.prepareRamdisk(fewer, ['new=1'], call);
    expect(found()).toEqual(['52-54-00-00-00-01']);
    await boot.cleanUpRamdisk({ uuid: NODE, attempt: 3 }, call);
    expect(textOf('52-54-00-00-00-01')).toContain('new=1');
    await boot.cleanUpRamdisk({ uuid: NODE, attempt: 4 }, call);
    expect(found()).toEqual([]);
  });

  it('leaves a port that has gone to another node', async () => {
    const boot = opened('ipxe');
    await boot.prepareRamdisk(machine, parameters, call);
    await boot.prepareRamdisk({ ...machine, uuid: OTHER, attempt: 1 }, ['other=1'], call);
    await boot.cleanUpRamdisk(machine, call);
    expect(textOf('52-54-00-00-00-01')).toContain('other=1');
  });

  it('takes the names of a half-written attempt away too', async () => {
    const boot = opened('ipxe');
    await boot.prepareRamdisk(machine, parameters, call);
    rmSync(join(root, 'pxelinux.cfg', '52-54-00-00-00-03'));
    symlinkSync('nowhere', join(root, 'ferrolog', NODE, '3', '.1-1.tmp'));
    await boot.cleanUpRamdisk(machine, call);
    expect([found(), readdirSync(join(root, 'ferrolog'))]).toEqual([[], []]);
  });

  it('of a node that was never booted has nothing to do', async () => {
    await opened('ipxe').cleanUpRamdisk(machine, call);
    await opened('ipxe').cleanUpRamdisk({ uuid: NODE, attempt: null }, call);
    expect(() => lstatSync(join(root, 'ferrolog'))).toThrow('ENOENT');
  });
});

describe('whether a machine can be booted', () => {
  const verdict = (
    driverInfo: Record<string, unknown>,
    rest: Partial<PxeSettings> = {},
    name: 'pxe' | 'ipxe' = 'ipxe',
  ) => {
    const boot = opened(name, rest);
    const support = boot.validateInspection({ ...machine, driverInfo });
    expect(boot.validate({ ...machine, driverInfo })).toBe('reason' in support ? support.reason : null);
    return 'reason' in support ? `${support.verdict}: ${support.reason}` : support.verdict;
  };
  const both = { deploy_kernel: 'http://i/k', deploy_ramdisk: 'https://i/r' };

  it('is yes with kernel, ramdisk and a port', () => {
    expect(verdict(both)).toBe('supported');
    expect(verdict(both, {}, 'pxe')).toBe('supported');
    expect(verdict({ deploy_kernel: 'tftp://i/k' }, { deployRamdisk: 'http://i/r' })).toBe('supported');
    expect(verdict({}, { deployKernel: 'http://i/k', deployRamdisk: 'http://i/r' })).toBe('supported');
  });

  it.each([
    [{}, /^unsupported: .*driver_info\.deploy_kernel nor \[conductor\] deploy_kernel/],
    [{ deploy_kernel: 'http://i/k' }, /^unsupported: .*deploy_ramdisk/],
    [{ ...both, deploy_kernel: '' }, /^unsupported: /],
    [{ ...both, deploy_kernel: null }, /^unsupported: /],
    [{ ...both, deploy_kernel: 7 }, /^missing parameter: .*not a text/],
    [{ ...both, deploy_kernel: 'k' }, /^missing parameter: .*neither an http/],
    [{ ...both, deploy_kernel: '6d9b7c2e-3f3a-4f0e-9b1a-0c5d5e0f7a11' }, /^missing parameter: .*neither an http/],
    [{ ...both, deploy_kernel: 'http://i/k\nboot' }, /^missing parameter: .*boot configuration file/],
    [{ ...both, deploy_kernel: 'http://i/k init=/bin/sh' }, /^missing parameter: .*boot configuration file/],
    [{ ...both, deploy_kernel: 'http://i/${x}' }, /^missing parameter: /],
    [{ ...both, deploy_ramdisk: 'file:///etc/shadow' }, /^missing parameter: .*outside of/],
  ])('with %j it is no: %s', (driverInfo, expected) => {
    expect(verdict(driverInfo)).toMatch(expected);
  });

  it('is no without a port that is enabled for PXE', () => {
    const ports = [{ address: MAC, pxeEnabled: false }];
    expect(opened('ipxe').validateInspection({ ...machine, ports })).toMatchObject({ verdict: 'unsupported' });
    expect(opened('pxe').validateInspection({ ...machine, ports: [] })).toMatchObject({
      verdict: 'unsupported',
      reason: expect.stringContaining('no port'),
    });
  });

  it('takes files of the served folder, as the server calls them, and no way out of it', async () => {
    const files = { deploy_kernel: `file://${root}/images/k`, deploy_ramdisk: `file://${root}/r` };
    expect(verdict(files)).toMatch(/^missing parameter: .*http_url is not set/);
    expect(verdict({ ...files, deploy_ramdisk: `file://${root}/../r` }, { httpUrl: 'http://h' })).toMatch(/outside of/);
    expect(verdict({ ...files, deploy_ramdisk: `file://${root}x/r` }, { httpUrl: 'http://h' })).toMatch(/outside of/);
    await opened('ipxe', { httpUrl: 'http://h:8080/b' }).prepareRamdisk({ ...machine, driverInfo: files }, [], call);
    expect(textOf('52-54-00-00-00-01')).toMatch(/^kernel http:\/\/h:8080\/b\/images\/k /m);
    await opened('pxe').prepareRamdisk({ ...machine, uuid: OTHER, driverInfo: files }, [], call);
    expect(textOf('01-52-54-00-00-00-01')).toMatch(/KERNEL \/images\/k\n {2}APPEND initrd=\/r /);
  });
});
