import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newPortDocument } from '../port';
import type { PortDocument } from '../port';
import { defaultHooks, hooksProblem, portChanges, runHooks } from '.';
import type { HookOptions, HooksResult } from '.';

const options: HookOptions = { addPorts: 'pxe', keepPorts: 'all', updatePxeEnabled: true };
const NODE = 'aaaaaaaa-0000-4000-8000-000000000001';
const none: ReadonlySet<string> = new Set();

type Body = Record<string, unknown> & { inventory: Record<string, unknown> };

const read = <T>(path: string): T => JSON.parse(readFileSync(join(__dirname, '../../../../test', path), 'utf8')) as T;

function run(body: Body, rest: Partial<HookOptions> = {}, names = defaultHooks): HooksResult {
  const { inventory, ...pluginData } = body;
  return runHooks(names, pluginData, { inventory, options: { ...options, ...rest } });
}

function good(body: Body, rest: Partial<HookOptions> = {}, names = defaultHooks) {
  const result = run(body, rest, names);
  if (!result.ok) throw new Error(result.reason);
  return result;
}

const reason = (result: HooksResult): string => (result.ok ? 'it was fine' : result.reason);

const port = (address: string, rest: Partial<PortDocument> = {}): PortDocument => ({
  ...newPortDocument({ address }, NODE, `port-${address}`),
  ...rest,
});

function changes(body: Body, own: readonly PortDocument[], rest: Partial<HookOptions> = {}, taken = none) {
  const { ports } = good(body, rest);
  if (!ports) throw new Error('no ports are wanted');
  return portChanges(ports, own, taken, { ...options, ...rest });
}

const nic = (name: string, mac: string, rest: object = {}) => ({ name, mac_address: mac, ...rest });
const body = (interfaces: readonly unknown[], rest: object = {}, beside: object = {}): Body => ({
  inventory: { interfaces, cpu: { architecture: 'x86_64' }, ...rest },
  ...beside,
});

const A = '52:54:00:00:00:0a';
const B = '52:54:00:00:00:0b';
const booted = (mac: string) => ({ boot: { pxe_interface: mac } });

interface Expectation {
  readonly pxe_mac: string;
  readonly created_ports_by_add_ports: Record<HookOptions['addPorts'], unknown[] | { count: number }>;
  readonly properties_if_hook_enabled: { architecture: object };
}

describe('the examples of the contract', () => {
  const expected = read<Record<string, Expectation>>('contract-data/examples/expected-results.json');

  it.each(Object.keys(expected).filter((file) => expected[file]?.created_ports_by_add_ports))('%s', (file) => {
    const example = read<Body>(`contract-data/examples/${file}`);
    const { created_ports_by_add_ports: created, properties_if_hook_enabled: properties } = expected[file]!;
    expect(good(example).properties).toEqual(properties.architecture);
    for (const [addPorts, wanted] of Object.entries(created)) {
      const { create } = changes(example, [], { addPorts: addPorts as HookOptions['addPorts'] });
      if (Array.isArray(wanted)) expect([addPorts, create]).toEqual([addPorts, wanted]);
      else expect([addPorts, create.length]).toEqual([addPorts, wanted.count]);
    }
  });

  it('inventory-ramdisk-error.json fails with the text of the ramdisk', () => {
    const example = read<Body>('contract-data/examples/inventory-ramdisk-error.json');
    expect(reason(run(example))).toContain(String(example['error']));
  });
});

describe('a ramdisk that reports an error', () => {
  it('is told of together with what else is wrong, one complaint a line', () => {
    const result = run(body([], {}, { error: 'no disks\n* none' }));
    expect(reason(result)).toMatch(/^ramdisk-error: .*no disks\n\* none\nvalidate-interfaces: /);
  });

  it('is quoted up to a length that a log can bear', () => {
    expect(reason(run(body([nic('a', A)], {}, { error: 'x'.repeat(1_000_000) }))).length).toBeLessThan(17_000);
  });

  it.each([null, '', undefined, false])('of %j has none', (error) => {
    expect(run(body([nic('a', A)], {}, { error })).ok).toBe(true);
  });
});

describe('NICs', () => {
  it('without a name or a usable MAC are left out, each with a warning', () => {
    const odd = [nic('', A), nic('a', A), nic('b', '52-54-00-00-00-0b'), nic('c', `${B}:00:01`), null, 'eth0', {}];
    const { ports, warnings } = good(body(odd));
    expect(ports?.all.map(({ name }) => name)).toEqual(['a']);
    expect(warnings).toHaveLength(6);
  });

  it('keep the spelling that they came with; what they are known by is lower case', () => {
    const { pluginData } = good(body([nic('a', A.toUpperCase(), { ipv6_address: 'fe80::1%a' })], booted(A)));
    expect(pluginData).toEqual({
      all_interfaces: {
        a: { name: 'a', mac_address: A.toUpperCase(), ipv6_address: 'fe80::1', pxe_enabled: true },
      },
      valid_interfaces: {
        a: { name: 'a', mac_address: A.toUpperCase(), ipv6_address: 'fe80::1', pxe_enabled: true },
      },
      macs: [A],
    });
  });

  it('that loop back are nobody', () => {
    const loops = [nic('lo', A), nic('dummy', B, { ipv4_address: '127.0.0.2' })];
    expect(reason(run(body(loops), { addPorts: 'all' }))).toContain('add_ports = all');
  });

  it.each([
    ['pxe', ['a']],
    ['active', ['b']],
    ['all', ['a', 'b']],
    ['disabled', ['a', 'b']],
  ] as const)('that fit add_ports = %s', (addPorts, names) => {
    const nics = body(
      [nic('a', A), nic('b', B, { ipv4_address: '192.0.2.4' })],
      booted(`01-${A.replaceAll(':', '-')}`),
    );
    expect(good(nics, { addPorts }).ports?.valid.map(({ name }) => name)).toEqual(names);
  });

  it('all fit where the machine does not tell which one it booted from', () => {
    expect(good(body([nic('a', A), nic('b', B)])).ports?.valid).toHaveLength(2);
  });

  it.each([
    [{ interfaces: undefined }, 'no interfaces'],
    [{ interfaces: [nic('', A)] }, 'no interface of the inventory'],
    [{ ...booted(B) }, 'add_ports = pxe'],
    [{ interfaces: Array.from({ length: 1001 }, () => nic('a', A)) }, 'more than 1000'],
  ])('%j are of no use', (rest, text) => {
    expect(reason(run(body([nic('a', A)], rest)))).toContain(text);
  });
});

describe('ports', () => {
  it('are found whatever the case, keep their uuid and become the one that boots (LKP-02)', () => {
    const own = port(A, { pxe_enabled: false });
    const { create, change, remove } = changes(body([nic('a', A.toUpperCase())], booted(A)), [own]);
    expect([create, remove]).toEqual([[], []]);
    expect(change).toEqual([{ ...own, pxe_enabled: true }]);
  });

  it('of another node are left alone', () => {
    expect(changes(body([nic('a', A)], booted(A)), [], {}, new Set([A])).create).toEqual([]);
  });

  it('are made once for an address that two NICs share', () => {
    const shared = body([nic('a', A), nic('bond0', A)], booted(A));
    expect(changes(shared, []).create).toEqual([{ address: A, pxe_enabled: true, extra: {} }]);
  });

  it('that did not boot the machine do not boot it next time, unless that is left alone', () => {
    const nics = body([nic('a', A), nic('b', B)], booted(A));
    expect(changes(nics, [port(A), port(B)]).change).toMatchObject([{ address: B, pxe_enabled: false }]);
    expect(changes(nics, [port(A), port(B)], { updatePxeEnabled: false }).change).toEqual([]);
    expect(changes(body([nic('a', A)]), [port(A)]).change).toMatchObject([{ address: A, pxe_enabled: false }]);
  });

  it.each([
    ['all', []],
    ['present', ['52:54:00:00:00:0c']],
    ['added', ['52:54:00:00:00:0c', B]],
  ] as const)('that go with keep_ports = %s', (keepPorts, gone) => {
    const own = [port(A), port('52:54:00:00:00:0c'), port(B)];
    const { remove } = changes(body([nic('a', A), nic('b', B)], booted(A)), own, { keepPorts });
    expect([...remove].sort()).toEqual(gone.map((mac) => `port-${mac}`).sort());
  });

  it('are not made with add_ports = disabled, and still brought in line', () => {
    const { create, change } = changes(body([nic('a', A), nic('b', B)], booted(A)), [port(B)], {
      addPorts: 'disabled',
    });
    expect(create).toEqual([]);
    expect(change).toMatchObject([{ address: B, pxe_enabled: false }]);
  });

  it('of InfiniBand have their client id, beside what else is in extra', () => {
    const nics = body([nic('ib0', A, { client_id: 'ff:01' })], booted(A));
    expect(changes(nics, []).create[0]?.extra).toEqual({ 'client-id': 'ff:01' });
    const known = port(A, { extra: { rack: 7, 'client-id': 'old' } });
    expect(changes(nics, [known]).change[0]?.extra).toEqual({ rack: 7, 'client-id': 'ff:01' });
  });

  it('are none of the business of a list without that hook', () => {
    expect(good(body([nic('a', A)]), {}, ['validate-interfaces']).ports).toBeNull();
  });
});

describe('the architecture', () => {
  it.each([{ cpu: { architecture: null } }, { cpu: null }, { cpu: undefined }, { cpu: { architecture: '' } }])(
    'is missed in %j',
    (rest) => {
      expect(reason(run(body([nic('a', A)], rest)))).toMatch(/^architecture: /);
    },
  );

  it('of the last run stays where the hook does not run', () => {
    expect(good(body([nic('a', A)]), {}, ['validate-interfaces', 'ports']).properties).toEqual({});
  });
});

describe('a list of hooks', () => {
  it('ships in an order that works', () => {
    expect(hooksProblem(defaultHooks)).toBeNull();
    expect(hooksProblem([])).toBeNull();
  });

  it('names only known ones, each after those that it needs', () => {
    expect(hooksProblem(['root-disk'])).toContain('"root-disk"');
    expect(hooksProblem(['ports', 'validate-interfaces'])).toContain('validate-interfaces before it');
    expect(hooksProblem(['ports'])).toContain('validate-interfaces before it');
  });
});
