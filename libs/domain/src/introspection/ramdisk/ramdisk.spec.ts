import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultHookOptions, preprocessData } from '../hooks';
import type { JsonObject } from '../json';
import { payloadFor, scriptedPayload } from './payload';
import { plainBody } from './body';
import { bootedWith } from './boot-file';
import { fleetScript, scriptNames, scriptOf } from './script';

const folder = join(__dirname, '../../../../../apps/inspector-simulator/src/inventories');
const templates = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    name: file.replace('.json', ''),
    payload: JSON.parse(readFileSync(join(folder, file), 'utf8')) as JsonObject,
  }));
const machine = {
  uuid: '11111111-2222-4333-8444-555555555555',
  macs: ['52:54:00:00:00:01', '52:54:00:00:00:02'],
  bmcAddress: '192.0.2.9',
};

describe('a node’s script', () => {
  it('is read from extra.simulator', () => {
    expect(scriptOf({ simulator: { script: 'succeed', after: 0.25, inventory: 'vm' } })).toEqual({
      script: 'succeed',
      afterMs: 250,
      answer: 500,
      times: null,
      message: expect.any(String),
      inventory: 'vm',
      start: null,
      status: null,
      data: null,
      body: plainBody,
    });
    const faults = { start: { answer: 503, times: 2 }, status: {} };
    expect(scriptOf({ simulator: { script: 'never', ...faults } })).toMatchObject({
      start: { answer: 503, times: 2 },
      status: { answer: 500, times: null, delayMs: 0 },
    });
    expect(scriptOf({ simulator: { script: 'refuse-abort', answer: 409, times: 2 } })).toMatchObject({
      answer: 409,
      times: 2,
      afterMs: null,
    });
  });

  it.each([[{}], [{ simulator: null }], [{ simulator: 'x' }], [{ simulator: { after: 3 } }]])(
    'is absent in %j',
    (extra) => {
      expect(scriptOf(extra)).toBeNull();
    },
  );

  it.each([
    [{ script: 'succed' }],
    [{ script: 'toString' }],
    [{ script: 'never', after: -1 }],
    [{ script: 'never', after: '1' }],
    [{ script: 'never', after: Infinity }],
    [{ script: 'never', after: NaN }],
    [{ script: 'refuse-abort', answer: 200 }],
    [{ script: 'refuse-abort', times: 0 }],
    [{ script: 'error', message: 4 }],
    [{ script: 'never', start: 503 }],
    [{ script: 'never', start: { answer: 202 } }],
    [{ script: 'never', status: { answer: 'none', times: 0 } }],
    [{ script: 'never', status: { delay: '3' } }],
    [{ script: 'never', status: { delay: 3, answer: 202 } }],
    [{ script: 'never', status: { answer: 'error' } }],
    [{ script: 'never', status: { every: 0 } }],
    [{ script: 'never', start: { answer: 'error', message: 4 } }],
    [{ script: 'never', data: { answer: 200 } }],
    [{ script: 'succeed', body: 'wrong' }],
    [{ script: 'succeed', body: { mac: 'wrong' } }],
    [{ script: 'succeed', body: { macs: ['x'] } }],
    [{ script: 'succeed', body: { macs: 'none' } }],
    [{ script: 'succeed', body: { bmc_address: 4 } }],
    [{ script: 'succeed', body: { interfaces: 'some' } }],
    [{ script: 'succeed', body: { logs: 61 } }],
    [{ script: 'succeed', body: { over: -1 } }],
  ])('is refused: %j', (simulator) => {
    expect(() => scriptOf({ simulator })).toThrow(expect.objectContaining({ code: 'INVALID' }));
  });
});

describe('a command line', () => {
  const found = (parameters: string) => bootedWith(`#!ipxe\nkernel k initrd=r ${parameters}\nboot\n`);

  it.each<[string, object]>([
    ['', { callbackUrls: [], apiUrl: null, bootif: null, collectors: ['default', 'logs'], agentToken: null }],
    ['ipa-inspection-callback-url=http://a,http://b', { callbackUrls: ['http://a', 'http://b'] }],
    ['ipa-inspection-collectors=default,lldp', { callbackUrls: [], collectors: ['default', 'lldp'] }],
    ['ipa-api-url=http://a,http://b', { callbackUrls: [], apiUrl: 'http://a' }],
    [
      'ipa-api-url=http://a/v1/ ipa-inspection-collectors=default',
      { callbackUrls: ['http://a/v1/continue_inspection'], apiUrl: 'http://a/v1/' },
    ],
    [
      'ipa-api-url=http://a ipa-inspection-collectors=logs ipa-inspection-callback-url=http://b',
      { callbackUrls: ['http://b'] },
    ],
    ['ipa-agent-token=abc BOOTIF=01-52', { agentToken: 'abc', bootif: '01-52' }],
  ])('%j', (parameters, wanted) => {
    expect(found(parameters)).toMatchObject(wanted);
  });
});

describe('a fleet', () => {
  const fleet = { seed: '4711', weights: { succeed: 8, error: 1, never: 1 }, afterMsMin: 100, afterMsMax: 200 };
  const names = Array.from({ length: 2000 }, (_, i) => `node-${i}`);

  it('gives the same node the same script, in whatever order nodes start', () => {
    const forwards = names.map((name) => fleetScript(fleet, name));
    const backwards = [...names]
      .reverse()
      .map((name) => fleetScript(fleet, name))
      .reverse();
    expect(forwards).toEqual(backwards);
    expect(names.map((name) => fleetScript({ ...fleet, seed: '4712' }, name))).not.toEqual(forwards);
  });

  it('follows the weights and the range of delays', () => {
    const scripts = names.map((name) => fleetScript(fleet, name));
    const share = (name: string): number => scripts.filter(({ script }) => script === name).length / scripts.length;
    expect(share('succeed')).toBeGreaterThan(0.75);
    expect(share('succeed')).toBeLessThan(0.85);
    expect(share('error') + share('never') + share('succeed')).toBe(1);
    expect(scripts.every(({ afterMs }) => afterMs !== null && afterMs >= 100 && afterMs <= 200)).toBe(true);
  });

  it('can play every script', () => {
    const weights = Object.fromEntries(scriptNames.map((name) => [name, 1]));
    expect(new Set(names.map((name) => fleetScript({ ...fleet, weights }, name).script))).toEqual(new Set(scriptNames));
  });
});

describe('the data of a simulated ramdisk', () => {
  it.each(templates)('of $name names the node’s first port as the NIC it booted from', (template) => {
    const payload = payloadFor(template, machine);
    const { attributes, failures, nics } = preprocessData(payload, defaultHookOptions);
    expect(failures).toEqual([]);
    expect(attributes).toEqual({ macs: ['52:54:00:00:00:01'], bmcAddresses: ['192.0.2.9'] });
    const all = [...nics.all.values()].map((nic) => nic.mac);
    expect(all).toContain('52:54:00:00:00:02');
    expect(new Set(all).size).toBe(all.length);
  });

  it('invents MACs that two machines never share', () => {
    const macs = (uuid: string): string[] => {
      const { nics } = preprocessData(payloadFor(templates[0]!, { ...machine, uuid, macs: [] }), {
        ...defaultHookOptions,
        addPorts: 'all',
      });
      return [...nics.all.values()].map((nic) => nic.mac);
    };
    const [a, b] = [macs('a'), macs('b')];
    expect(a.filter((mac) => b.includes(mac))).toEqual([]);
    expect(a).toEqual(macs('a'));
  });

  it('has a NIC for every port, also beyond those of the template', () => {
    const macs = Array.from({ length: 40 }, (_, i) => `52:54:00:00:01:${(16 + i).toString(16)}`);
    const { nics } = preprocessData(payloadFor({ name: 'bare', payload: {} }, { ...machine, macs }), {
      ...defaultHookOptions,
      addPorts: 'all',
    });
    expect([...nics.all.values()].map((nic) => nic.mac)).toEqual(macs);
  });

  it('puts an IPv6 BMC where a ramdisk would', () => {
    const { inventory } = payloadFor(templates[0]!, { ...machine, bmcAddress: '2001:db8::1' });
    expect(inventory).toMatchObject({ bmc_address: null, bmc_v6address: '2001:db8::1' });
  });

  it('holds what its collectors bring, and says which they were', () => {
    const large = templates.find(({ name }) => name === 'large')!;
    const payload = payloadFor(large, { ...machine, collectors: ['default', 'pci-devices', 'made-up'] });
    expect(Object.keys(payload).sort()).toEqual([
      'boot_interface',
      'configuration',
      'error',
      'inventory',
      'pci_devices',
      'root_disk',
    ]);
    expect(payload['configuration']).toMatchObject({ collectors: ['default', 'pci-devices', 'made-up'] });
    expect(Object.keys(payloadFor(large, machine))).toContain('numa_topology');
  });

  describe('as its script wants it', () => {
    const bodyOf = (body: object) => {
      const script = scriptOf({ simulator: { script: 'succeed', inventory: 'small', body } })!;
      return preprocessData(scriptedPayload(script, templates, machine), defaultHookOptions);
    };

    it('of nobody’s MACs, the same ones each time', () => {
      const { attributes, failures } = bodyOf({ macs: 'wrong' });
      expect(failures).toEqual([]);
      expect(attributes.macs).toEqual(bodyOf({ macs: 'wrong' }).attributes.macs);
      expect(attributes.macs.filter((mac) => machine.macs.includes(mac))).toEqual([]);
    });

    it('of somebody else’s BMC, and of none', () => {
      expect(bodyOf({ bmc_address: '198.51.100.7' }).attributes.bmcAddresses).toEqual(['198.51.100.7']);
      expect(bodyOf({ bmc_address: null }).attributes.bmcAddresses).toEqual([]);
    });

    it('without interfaces, or with logs of a size', () => {
      expect(bodyOf({ interfaces: 'none' }).failures).toEqual([expect.stringContaining('no interface')]);
      expect(bodyOf({ logs: 2 }).data['logs']).toHaveLength(2 * 1024 * 1024);
    });
  });

  it('says that the ramdisk failed when the script is ramdisk-error', () => {
    const script = scriptOf({ simulator: { script: 'ramdisk-error', message: 'no disks' } })!;
    expect(scriptedPayload(script, templates, machine)).toMatchObject({ error: 'no disks' });
  });

  it('asks for a failing run when the script is error', () => {
    const script = scriptOf({ simulator: { script: 'error', message: 'fan stuck', inventory: 'vm' } })!;
    expect(scriptedPayload(script, templates, machine)).toMatchObject({ scripted_failure: 'fan stuck', error: null });
    const good = scriptedPayload({ ...script, script: 'succeed' }, templates, machine);
    expect(good).not.toHaveProperty('scripted_failure');
    expect(good['inventory']).toMatchObject({ system_vendor: { manufacturer: 'ExampleVirt' } });
  });
});
