import { carryOut } from '.';
import type { RuleItem } from '.';
import { MAC, PORT, does, fields, ground, item, mark, rule, run } from './spec';

/** Whether the condition held; a text where it could not be told. */
function held(condition: RuleItem): boolean | string {
  const { failure, pluginData } = run([rule([condition], [mark])]);
  return failure ?? pluginData['mark'] === 'yes';
}

describe('conditions', () => {
  it.each<[op: string, args: RuleItem['args'], boolean]>([
    ['eq', { values: [4, 4, 4] }, true],
    ['eq', { values: [4, 4, 5] }, false],
    ['eq', { values: [4] }, true],
    ['eq', { values: [] }, true],
    ['eq', { values: ['{inventory[cpu][count]}', 4] }, false],
    ['eq', { values: ['{inventory[cpu][count]}', 4], force_strings: true }, true],
    ['eq', { values: ['{inventory[cpu][count]}', '4'] }, true],
    ['eq', { values: [{ a: [1] }, { a: [1] }] }, true],
    ['eq', [[4, '4'], true], true],
    ['!eq', { values: [1, 2] }, true],
    ['! eq', { values: [1, 2] }, true],
    ['lt', { values: [1, 2, 3] }, true],
    ['lt', { values: [1, 3, 2] }, false],
    ['lt', { values: ['a', 'b'] }, true],
    ['gt', { values: [3, 2, 1] }, true],
    ['gt', { values: [2, 2] }, false],
    ['is-empty', { value: null }, true],
    ['is-empty', { value: [] }, true],
    ['is-empty', { value: {} }, true],
    ['is-empty', { value: '{inventory[hostname]}' }, true],
    ['is-empty', { value: '{inventory[bmc_v6address]}' }, true],
    ['is-empty', { value: '{inventory[nothing][here]}' }, true],
    ['is-empty', { value: '{inventory[cpu][flags]}' }, false],
    ['is-empty', { value: 0 }, false],
    ['in-net', { address: '{inventory[bmc_address]}', subnet: '192.0.2.0/24' }, true],
    ['in-net', { address: '2001:db8::1', subnet: '2001:db8::/32' }, true],
    ['in-net', { address: '192.0.3.1', subnet: '192.0.2.0/24' }, false],
    ['matches', { value: '{inventory[cpu][architecture]}', regex: 'x86_\\d\\d' }, true],
    ['matches', { value: 'x86_64', regex: 'x86' }, false],
    ['matches', { value: 'b', regex: 'a|b' }, true],
    ['matches', { value: 'ACME', regex: '(?i)acme' }, true],
    ['contains', { value: 'x86_64', regex: '86' }, true],
    ['contains', { value: 'aa', regex: '(?P<one>a)(?P=one)' }, true],
    ['contains', { value: '{inventory[cpu][flags]}', regex: "'vmx'" }, true],
    ['one-of', { value: '{inventory[cpu][architecture]}', values: ['aarch64', 'x86_64'] }, true],
    ['one-of', { value: 4, values: ['4'] }, false],
    ['one-of', { value: 4 }, false],
    ['is-none', { value: null }, true],
    ['is-none', { value: '{inventory[bmc_v6address]}' }, true],
    ['is-none', { value: '' }, false],
    ['is-true', { value: true }, true],
    ['is-true', { value: 'Yes' }, true],
    ['is-true', { value: '{inventory[cpu][count]}' }, true],
    ['is-true', { value: 'maybe' }, false],
    ['is-true', { value: 0 }, false],
    ['is-false', { value: false }, true],
    ['is-false', { value: null }, true],
    ['is-false', { value: 0 }, true],
    ['is-false', { value: 'no' }, true],
    ['is-false', { value: 'maybe' }, false],
    ['matches', { value: `${'a'.repeat(9000)}!`, regex: '(a+)+' }, false],
    ['matches', { value: '52:54:00:aa:BB:cc', regex: '(?i)(?P<byte>[0-9a-f]{2}:){5}[0-9a-f]{2}' }, true],
    ['!is-false', { value: 'maybe' }, true],
  ])('%s %j: %s', (op, args, expected) => {
    expect(held(item(op, args))).toBe(expected);
  });

  it.each<[op: string, args: RuleItem['args'], string]>([
    ['lt', { values: [1, '2'] }, 'a number and a string have no order'],
    ['gt', { values: [null, 1] }, 'null and a number'],
    ['eq', { values: 'abc' }, 'values is no list'],
    ['in-net', { address: '{inventory[nothing]}', subnet: '192.0.2.0/24' }, 'is no IP address'],
    ['in-net', { address: '192.0.2.1', subnet: 'everywhere' }, 'is no network'],
    ['matches', { value: 'a', regex: '(' }, 'is no regular expression'],
    ['contains', { value: 'a'.repeat(20_000), regex: 'a' }, 'too long for a pattern'],
    ['contains', { value: 'a'.repeat(50), regex: '(a+)+\\1b' }, 'can not be searched for: it refers back'],
    ['contains', { value: 'a'.repeat(9000), regex: '^(?:(?!.*b).)*$' }, 'it takes too long on a text of 9000'],
  ])('%s %j can not be told, and the rule is named', (op, args, text) => {
    expect(held(item(op, args))).toMatch(/^inspection rule r: /);
    expect(held(item(op, args))).toContain(text);
  });

  it.each<[multiple: RuleItem['multiple'], matching: readonly number[], boolean]>([
    [undefined, [1000], true],
    ['any', [1000], true],
    ['all', [1000], false],
    ['all', [1000, 25000], true],
    ['first', [25000], true],
    ['first', [1], false],
    ['last', [1000], false],
    ['last', [25000], true],
  ])('over the items of a loop: %s of %j', (multiple, values, expected) => {
    const loop = ground.inventory['interfaces'] as readonly unknown[];
    const args = { value: '{item[speed_mbps]}', values };
    expect(held(item('one-of', args, { loop, ...(multiple ? { multiple } : {}) }))).toBe(expected);
  });

  it('over an object run once with it, and of no items at all only `all` holds', () => {
    const eq = { values: ['{item[a]}', 1] };
    expect(held(item('eq', eq, { loop: { a: 1 } }))).toBe(true);
    const none = (multiple: string) => held(item('eq', eq, { loop: [], multiple }));
    expect([none('any'), none('all'), none('first'), none('last')]).toEqual([false, true, false, false]);
  });

  it('all have to hold, and see what rules before have done', () => {
    const sees = rule([item('eq', { values: ['{plugin_data[mark]}', 'yes'] })], [item('fail', { msg: 'seen' })]);
    expect(run([sees, rule([], [mark], { priority: 1 })]).failure).toContain('seen');
    expect(run([sees, rule([], [mark])]).failure).toBeNull();
    const no = item('is-true', { value: false });
    expect(run([rule([item('is-true', { value: true }), no], [mark])]).pluginData['mark']).toBeUndefined();
  });
});

describe('rules', () => {
  it('are carried out from the highest priority, equal ones in their order', () => {
    const say = (name: string, priority: number) =>
      rule([], [item('extend-plugin-data', { path: 'said', value: name })], { priority });
    const { pluginData } = run([say('b', 0), say('c', 0), say('last', -7), say('first', 10_001)]);
    expect(pluginData['said']).toEqual(['first', 'b', 'c', 'last']);
  });

  it('end with the first failure, by the name of the rule', () => {
    const failing = rule([], [item('fail', { msg: 'only {inventory[cpu][count]} CPUs' }), mark], {
      description: 'enough CPUs',
      priority: 1,
    });
    const { failure, pluginData } = run([failing, rule([], [mark])]);
    expect(failure).toBe('inspection rule r (enough CPUs): only 4 CPUs');
    expect(pluginData['mark']).toBeUndefined();
  });
});

describe('actions', () => {
  it.each<[op: string, args: RuleItem['args'], changed: object]>([
    ['set-attribute', { path: '/extra/rule', value: 'yes' }, { extra: { ...fields.extra, rule: 'yes' } }],
    ['set-attribute', { path: 'extra.rule', value: 'yes' }, { extra: { ...fields.extra, rule: 'yes' } }],
    ['set-attribute', ['extra/a/b', [1]], { extra: { ...fields.extra, a: { b: [1] } } }],
    ['set-attribute', { path: '/extra/a.b', value: null }, { extra: { ...fields.extra, 'a.b': null } }],
    ['set-attribute', { path: '/extra/list/0', value: 5 }, { extra: { ...fields.extra, list: [5] } }],
    ['set-attribute', { path: '/description', value: 'by {node.name}' }, { description: 'by rack-1' }],
    ['extend-attribute', { path: '/extra/list', value: 'a' }, { extra: { ...fields.extra, list: ['a', 'a'] } }],
    ['extend-attribute', { path: '/extra/list', value: 'a', unique: true }, {}],
    ['extend-attribute', { path: '/extra/new', value: 1 }, { extra: { ...fields.extra, new: [1] } }],
    ['del-attribute', { path: '/extra/deep/er' }, { extra: { ...fields.extra, deep: {} } }],
    ['del-attribute', { path: '/extra/no/where' }, {}],
    [
      'set-capability',
      { name: 'cpu_vt', value: false },
      { properties: { cpus: 4, capabilities: 'boot_mode:uefi,cpu_vt:False' } },
    ],
    [
      'set-capability',
      { name: 'cores', value: '{inventory[cpu][count]}' },
      { properties: { cpus: 4, capabilities: 'boot_mode:uefi,cpu_vt:true,cores:4' } },
    ],
    ['unset-capability', { name: 'cpu_vt' }, { properties: { cpus: 4, capabilities: 'boot_mode:uefi' } }],
    ['unset-capability', { name: 'nothing' }, {}],
  ])('%s %j changes %j', (op, args, changed) => {
    const { failure, changes } = does(item(op, args));
    expect(failure).toBeNull();
    expect(Object.fromEntries(changes.map((one) => [one.path.slice(1), 'value' in one && one.value]))).toEqual(changed);
  });

  it('that delete a field give it its default', () => {
    expect(does(item('del-attribute', { path: '/driver' })).changes).toEqual([{ op: 'remove', path: '/driver' }]);
  });

  it.each<[op: string, args: RuleItem['args'], string]>([
    ['set-attribute', { path: '/uuid', value: 'x' }, 'uuid is no field of a node'],
    ['set-attribute', { path: '/provision_state', value: 'active' }, 'is no field of a node'],
    ['set-attribute', { path: '/instance_uuid', value: 'x' }, 'is no field of a node'],
    ['set-attribute', { path: '/__proto__/a', value: 'x' }, 'is no field of a node'],
    ['set-attribute', { path: '', value: 'x' }, 'is no path'],
    ['set-attribute', { path: '/extra//a', value: 'x' }, 'is no path'],
    ['set-attribute', { path: '/extra/deep/er/x', value: 'x' }, 'no object'],
    ['set-attribute', { path: '/extra/list/7', value: 'x' }, 'no item "7"'],
    ['set-attribute', { path: '/driver_info/redfish_password/data', value: 'x' }, 'into a secret'],
    ['extend-attribute', { path: '/extra/deep', value: 'x' }, 'no list'],
    ['add-trait', { name: 'nope!' }, 'no valid trait'],
    ['set-port-attribute', { port_id: 'ff:ff:ff:ff:ff:ff', path: 'extra/a', value: 1 }, 'no port'],
    ['set-port-attribute', { port_id: MAC, path: 'address', value: MAC }, 'no field of a port'],
    ['api-call', { url: 'ftp://h/' }, 'no http or https address'],
    ['api-call', { url: 'http://h/', timeout: -1 }, 'not between'],
  ])('%s %j can not be done, and the rule is named', (op, args, text) => {
    const { failure } = does(item(op, args));
    expect(failure).toMatch(/^inspection rule r: /);
    expect(failure).toContain(text);
  });

  it('refuse what the field does not take', () => {
    const { failure } = carryOut([rule([], [item('set-attribute', { path: '/extra', value: 7 })])], ground, {
      maskSecrets: 'always',
      problemOf: (kind, field) => `${kind} ${field} wants an object`,
    });
    expect(failure).toContain('extra: node extra wants an object');
  });

  it('set, extend and take away plugin data, keys of prototypes included', () => {
    const { pluginData } = does(
      item('set-plugin-data', { path: 'a.b', value: { c: '{node.uuid}' } }),
      item('extend-plugin-data', { path: 'tags', value: 'two' }),
      item('extend-plugin-data', { path: 'tags', value: 'two', unique: true }),
      item('unset-plugin-data', { path: 'root_disk.size' }),
      item('set-plugin-data', { path: '__proto__.polluted', value: true }),
    );
    expect(pluginData).toMatchObject({ a: { b: { c: 'n' } }, tags: ['one', 'two'], root_disk: {} });
    expect(Object.hasOwn(pluginData, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('add and remove traits; one that is not there is a warning', () => {
    expect(does(item('add-trait', { name: 'CUSTOM_B' })).traits).toEqual(['CUSTOM_A', 'CUSTOM_B']);
    expect(does(item('add-trait', { name: 'CUSTOM_A' })).traits).toBeNull();
    expect(does(item('remove-trait', { name: 'CUSTOM_A' })).traits).toEqual([]);
    const { failure, notes } = does(item('remove-trait', { name: 'CUSTOM_Z' }));
    expect([failure, notes]).toMatchObject([null, [{ level: 'warn' }]]);
  });

  it('change ports by their UUID or MAC', () => {
    const { ports } = does(
      item('set-port-attribute', { port_id: PORT.uuid, path: '/extra/a', value: 1 }),
      item('extend-port-attribute', { port_id: MAC.toUpperCase(), path: 'extra.l', value: 2, unique: true }),
      item('set-port-attribute', { port_id: MAC, path: 'physical_network', value: 'net' }),
      item('del-port-attribute', { port_id: MAC, path: 'physical_network' }),
    );
    expect([...ports]).toEqual([[MAC, { extra: { a: 1, l: [2] } }]]);
  });

  it('say what they are told to, at their level', () => {
    const { notes } = does(
      item('log', { msg: 'arch {inventory[cpu][architecture]}' }),
      item('log', { msg: 'b', level: 'warning' }),
      item('log', { msg: 'c', level: 'critical' }),
    );
    expect(notes).toEqual([
      { level: 'info', text: 'inspection rule r: arch x86_64' },
      { level: 'warn', text: 'inspection rule r: b' },
      { level: 'error', text: 'inspection rule r: c' },
    ]);
  });

  it('ask for calls, in their order, also where a later rule fails', () => {
    const { calls, failure } = does(
      item('api-call', { url: 'http://cmdb.example/{node.uuid}' }),
      item('api-call', { url: 'https://h/', headers: { a: 1 }, timeout: 7, retries: 1, backoff_factor: 2 }),
      item('fail', { msg: 'no' }),
    );
    expect(failure).toContain('no');
    expect(calls).toMatchObject([
      { url: 'http://cmdb.example/n', headers: {}, timeoutMs: 5000, retries: 3, backoffFactor: 0.3 },
      { url: 'https://h/', headers: { a: '1' }, timeoutMs: 7000, retries: 1, backoffFactor: 2 },
    ]);
  });

  it('run once for each item of a loop, with every text filled in', () => {
    const loop = [
      { k: 'one', v: 1 },
      { k: 'two', v: 2 },
    ];
    const { changes } = does(item('set-attribute', { path: '/extra/{item[k]}', value: '{item[v]}' }, { loop }));
    expect(changes).toEqual([{ op: 'replace', path: '/extra', value: { ...fields.extra, one: '1', two: '2' } }]);
  });
});
