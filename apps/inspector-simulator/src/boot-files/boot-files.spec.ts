import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemChance } from '@lib/adapters/system-clock';
import { ManualClock } from '@lib/testing';
import { FakeBareMetalHttp } from '../../../../test/inspector/fake-bare-metal-http';
import { quiet } from '../../../../test/inspector/world';
import { startInspectorSimulator } from '../index';
import { readBootFile } from './index';

const NODE = '11111111-2222-4333-8444-555555555555';
const MAC = '52:54:00:12:34:46';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'boot-files-'));
  for (const folder of ['tftp', 'http']) mkdirSync(join(root, folder, 'pxelinux.cfg'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const files = () => ({ tftpRoot: join(root, 'tftp'), httpRoot: join(root, 'http') });
const write = (folder: 'tftp' | 'http', name: string, text: string): void =>
  writeFileSync(join(root, folder, 'pxelinux.cfg', name), text);

describe('the boot file of a machine', () => {
  it('is found by the first MAC that has one, under the name that its loader asks for', async () => {
    write('http', '52-54-00-12-34-46', 'ipxe');
    write('tftp', '01-52-54-00-12-34-46', 'pxe');
    const macs = ['52:54:00:00:00:01', MAC.toUpperCase()];
    expect(await readBootFile(files(), 'ipxe', macs)).toBe('ipxe');
    expect(await readBootFile(files(), 'pxe', macs)).toBe('pxe');
    expect(await readBootFile(files(), 'ipxe', ['52:54:00:00:00:01'])).toBeNull();
    expect(await readBootFile(files(), 'ipxe', ['../../http/pxelinux.cfg/52-54-00-12-34-46'])).toBeNull();
  });
});

describe('a machine that somebody else boots for the inspector', () => {
  it('posts over HTTP to the address in its boot file', async () => {
    const api = await new FakeBareMetalHttp().open();
    const clock = new ManualClock('2026-11-30T10:00:00Z');
    api.addNode(NODE, 'n.1', MAC, {
      boot_interface: 'ipxe',
      extra: { simulator: { script: 'succeed', after: 1, inventory: 'vm' } },
    });
    const settings = { host: '127.0.0.1', port: 0, apiUrl: api.url, prefix: 'test', bootFiles: files() };
    const simulator = await startInspectorSimulator({
      settings,
      bus: null,
      clock,
      chance: systemChance,
      logger: quiet,
    });
    try {
      const callback = `ipa-inspection-callback-url=${simulator.url}/v1/continue`;
      write(
        'http',
        '52-54-00-12-34-46',
        `#!ipxe\nkernel k initrd=ramdisk ${callback} BOOTIF=01-52-54-00-12-34-46\nboot\n`,
      );
      await fetch(`${simulator.url}/v1/introspection/${NODE}?manage_boot=False`, { method: 'POST' });
      let entries: { ask: string; via: string; status: number }[] = [];
      for (let tries = 0; tries < 200 && !entries.some(({ ask }) => ask === 'continue'); tries += 1) {
        await clock.advanceBy(1000);
        await new Promise((resolve) => setTimeout(resolve, 20));
        const log = await fetch(`${simulator.url}/ferrolog/v1/simulator/log?node=${NODE}`);
        ({ entries } = (await log.json()) as { entries: typeof entries });
      }
      expect(entries.filter(({ ask }) => ask === 'continue')).toMatchObject([{ via: 'rest', status: 200 }]);
    } finally {
      await simulator.stop();
      await api.close();
    }
  });
});
