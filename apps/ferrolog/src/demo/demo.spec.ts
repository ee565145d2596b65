import { join } from 'node:path';
import { painter } from '../screen';
import { boardLines } from './board';
import { nodeListOf, readNodeList } from './node-list';
import { planOf } from './plan';
import { verdictText } from './sentences';
import { WatchedNode } from './watched-node';

const shipped = (): ReturnType<typeof readNodeList> => readNodeList(join(__dirname, 'inventory', 'nodes.json'));

describe('the shipped list', () => {
  it('looks like a real one: a dozen nodes, dots in names, upper-case MACs, several interfaces', () => {
    const { nodes } = shipped();
    expect(nodes.length).toBeGreaterThanOrEqual(12);
    expect(nodes.every(({ node }) => /\w\.\w/.test(String(node['name'])) && node['resource_class'])).toBe(true);
    const macs = nodes.flatMap(({ ports }) => ports.map(({ address }) => String(address)));
    expect(macs.every((mac) => /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/.test(mac))).toBe(true);
    expect(new Set(macs).size).toBe(macs.length);
    expect(nodes.every(({ ports }) => ports.length >= 2)).toBe(true);
  });

  it('shows every ending, and late and duplicate callbacks', () => {
    const plan = planOf(shipped());
    const shown = plan.nodes.map(({ expected }) => `${expected.ending} ${expected.callbacks.join(' ')}`.trim());
    expect([...new Set(shown)].sort()).toEqual([
      'aborted',
      'aborted 200',
      'aborted 400',
      'failed by the ramdisk 400',
      'inspected 200',
      'inspected 200 400',
      'timed out',
      'timed out 200',
    ]);
    expect(plan.notes).toEqual([]);
  });
});

describe("somebody's own list", () => {
  const redfish = {
    name: 'sled1',
    driver: 'redfish',
    power_interface: 'redfish',
    driver_info: { redfish_address: 'https://198.51.100.1', redfish_password: 'not-a-secret' },
    properties: { cpu_arch: 'x86_64' },
    portgroups: [{ name: 'bond', ports: [{ address: '52:54:00:AB:31:01', portgroup_uuid: 'x' }] }],
    ports: [{ address: '52:54:00:77:00:01', pxe_enabled: false }],
  };

  it('keeps chassis and port groups out, what is in them in, and says so', () => {
    const list = nodeListOf({ chassis: [{ description: 'ü', nodes: [redfish] }], nodes: [{ name: 'b' }] });
    expect(list.nodes.map(({ node, ports }) => [node['name'], ports.length])).toEqual([
      ['sled1', 2],
      ['b', 0],
    ]);
    expect(list.notes).toEqual([
      '1 chassis left out; the nodes in it are enrolled',
      '1 port group left out; the ports in it are enrolled',
    ]);
  });

  it('is simulated: nothing of a BMC is sent anywhere', () => {
    const { nodes, notes } = planOf(nodeListOf({ nodes: [redfish] }));
    expect(nodes[0]?.body).toEqual({
      name: 'sled1',
      properties: { cpu_arch: 'x86_64' },
      driver: 'fake-hardware',
      inspect_interface: 'inspector',
      driver_info: { inspect_wait_timeout: 60 },
      extra: { simulator: { script: 'succeed', after: 2 } },
    });
    expect(nodes[0]?.ports).toEqual([
      { address: '52:54:00:AB:31:01' },
      { address: '52:54:00:77:00:01', pxe_enabled: false },
    ]);
    expect(notes.join(' ')).toMatch(/no BMC is contacted.*name no script/);
  });

  it('gets scripts in turn, so that each ending is seen, and ports where it has none', () => {
    const { nodes } = planOf(nodeListOf({ nodes: Array.from({ length: 7 }, () => ({})) }));
    expect(new Set(nodes.map(({ expected }) => expected.ending)).size).toBe(4);
    expect(new Set(nodes.flatMap(({ ports }) => ports.map(({ address }) => address))).size).toBe(7);
  });

  it.each([
    ['a list', [], 'the document must be an object'],
    ['nothing in it', { nodes: [] }, 'it holds no node'],
    ['another key', { nodes: [{}], machines: [] }, 'not "machines"'],
    ['a node that is none', { nodes: ['n1'] }, 'each of "nodes" must be an object'],
    ['ports that are none', { nodes: [{ ports: {} }] }, '"ports" must be a list'],
  ])('is refused with a sentence: %s', (_name, document, sentence) => {
    expect(() => nodeListOf(document)).toThrow(sentence);
  });

  it.each([
    [{ extra: { simulator: { script: 'sing' } } }, 'n1: extra.simulator.script "sing" is not one of'],
    [{ extra: { simulator: { script: 'never' } }, driver_info: { inspect_wait_timeout: 0 } }, 'must be 1 to 3600 s'],
    [{ extra: { simulator: { script: 'never' }, demo: { abort_after: '4' } } }, 'must be a number of seconds'],
  ])('names the node whose script cannot be played', (node, sentence) => {
    expect(() => planOf(nodeListOf({ nodes: [{ name: 'n1', ...node }] }))).toThrow(sentence);
  });

  it('says which file it is, and that YAML is not read', () => {
    expect(() => readNodeList('/nowhere/nodes.json')).toThrow('/nowhere/nodes.json is no node list');
    expect(() => readNodeList(__filename)).toThrow('is no node list');
  });
});

describe('the table', () => {
  const watched = (at: number, settled: WatchedNode['settled'], statuses: number[]): WatchedNode => {
    const planned = planOf(shipped()).nodes[at];
    if (!planned) throw new Error('no such node');
    const node = new WatchedNode(
      planned,
      () => 0,
      () => undefined,
    );
    node.settled = settled;
    node.callbacks = statuses.map((status) => ({ via: 'ramdisk', ask: 'continue', status, detail: null }));
    return node;
  };
  const off = { power: 'power off', inventory: false };
  const late = { got: { ...off, state: 'inspect failed', error: 'aborted' }, differences: [] };

  it('tells in words how a node ended', () => {
    expect(verdictText(watched(9, late, [400]))).toBe('aborted, powered off, late data refused (400)');
    expect(verdictText(watched(6, late, [200]))).toBe('timed out, powered off, late data: state kept');
    expect(verdictText(watched(2, late, [200, 400]))).toBe('inspected, powered off, duplicate refused (400)');
  });

  it('says what is not as scripted, and counts who has ended', () => {
    const wrong = watched(3, { ...late, differences: ['state manageable, not inspect failed'] }, []);
    const open = watched(4, null, []);
    const lines = boardLines([wrong, open], 3000, 0, { paint: painter(false), width: null, overflow: 'cut' });
    expect(lines[1]).toMatch(/^✗ {2}compute-04.rack1 .*NOT AS SCRIPTED: state manageable, not inspect failed$/);
    expect(lines[2]).toMatch(/^· {2}compute-05.rack1 {2}not enrolled {2}3.0 s/);
    expect(lines.at(-1)).toBe('1 of 2 have ended, 3.0 s');
  });
});
