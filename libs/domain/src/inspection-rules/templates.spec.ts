import fc from 'fast-check';
import { MASK } from '../secrets';
import { builtInRules } from '.';
import type { MaskSecrets } from '.';
import { MAC, does, fields, ground, item, mark, rule, run } from './spec';

describe('templates', () => {
  const filled = (text: unknown, mask: MaskSecrets = 'always', rest: object = {}) =>
    run([rule([], [item('set-plugin-data', { path: 'x', value: text })], rest)], mask).pluginData['x'];

  it.each<[unknown, unknown]>([
    ['{inventory[interfaces][1][mac_address]}', '52:54:00:00:00:0b'],
    ['{node.properties[cpus]}-{node.provision_state}', '4-inspecting'],
    ['{inventory[cpu][flags]}', "['vmx', 'aes']"],
    ['{inventory[bmc_v6address]}', 'None'],
    ['{plugin_data[root_disk]}', "{'size': 10}"],
    ['{{literal}} {inventory[cpu][count]}', '{literal} 4'],
    ['no braces', 'no braces'],
    [5, 5],
    [[1], [1]],
    [null, null],
    [{ a: ['{node.uuid}'] }, { a: ['n'] }],
  ])('%j is %j', (text, expected) => {
    expect(filled(text)).toEqual(expected);
  });

  it.each(['{missing}', '{inventory[nothing]}', '{node.uuid!r}', '{', '{}', '{node.constructor}', '{"a": 1}'])(
    '%s stays as it is, with a warning that names the rule (RUL-03)',
    (text) => {
      const { pluginData, notes, failure } = does(item('set-plugin-data', { path: 'x', value: text }));
      expect([pluginData['x'], failure]).toEqual([text, null]);
      expect(notes).toMatchObject([{ level: 'warn', text: expect.stringContaining('inspection rule r: ') as string }]);
    },
  );

  it('do not grow without end', () => {
    const double = item('set-plugin-data', { path: 'x', value: '{plugin_data}' }, { loop: Array(64).fill(0) });
    expect(does(double).failure).toContain('a filled-in text has');
  });

  it.each<[MaskSecrets, sensitive: boolean, seen: string]>([
    ['always', false, '***'],
    ['always', true, '***'],
    ['never', false, 'hunter2'],
    ['sensitive', false, '***'],
    ['sensitive', true, 'hunter2'],
  ])('with mask_secrets = %s show a rule (sensitive: %s) %s', (mask, sensitive, seen) => {
    const text = '{plugin_data[bmc_password]} {inventory[boot][password]}';
    expect(filled(text, mask, { sensitive })).toBe(`${seen} ${seen}`);
  });

  it('never show the secrets of the node, and leave them where they are', () => {
    expect(filled('{node.driver_info[redfish_password]}', 'never', { sensitive: true })).toBe(MASK);
    const { changes } = does(item('set-attribute', { path: '/driver_info/x', value: 1 }));
    expect(changes).toMatchObject([{ value: { ...fields.driver_info, x: 1 } }]);
  });

  it('mask what rules see, not what is kept', () => {
    expect(does(mark).pluginData).toMatchObject({ bmc_password: 'hunter2' });
  });

  it('of a sensitive rule are quoted nowhere', () => {
    const { notes } = run([rule([], [item('log', { msg: '{secret-thing}' })], { sensitive: true })]);
    expect(notes[0]?.text).not.toContain('secret-thing');
  });
});

describe('whatever rules say', () => {
  const json = fc.jsonValue({ maxDepth: 2 });
  const text = fc.constantFrom(
    'extra/a',
    '/properties/capabilities',
    'x.y',
    '',
    '{item}',
    '{inventory[cpu]}',
    '(',
    MAC,
    'CUSTOM_B',
    'http://h/',
  );
  const args = fc.record({
    values: fc.array(fc.oneof(text, json), { maxLength: 3 }),
    value: fc.oneof(text, json),
    regex: text,
    address: text,
    subnet: text,
    path: text,
    name: text,
    msg: text,
    url: text,
    port_id: text,
  });
  const loop = fc.oneof(fc.constant({}), fc.record({ loop: fc.array(json, { maxLength: 3 }) }));
  const one = (...ops: string[]) =>
    fc.tuple(fc.constantFrom(...ops), args, loop).map(([op, given, rest]) => item(op, given, rest));
  const rules = fc.array(
    fc
      .tuple(
        fc.array(one('eq', '!lt', 'gt', 'is-empty', 'in-net', '!matches', 'contains', 'one-of', 'is-true'), {
          maxLength: 2,
        }),
        fc.array(
          one(
            'set-attribute',
            'extend-attribute',
            'del-attribute',
            'set-capability',
            'add-trait',
            'remove-trait',
            'set-plugin-data',
            'unset-plugin-data',
            'set-port-attribute',
            'api-call',
            'log',
            'fail',
          ),
          { minLength: 1, maxLength: 3 },
        ),
      )
      .map(([conditions, actions]) => rule(conditions, actions)),
    { maxLength: 3 },
  );

  it('the outcome is the same again, touches nothing that was handed in, and names the rule that failed', () => {
    const before = JSON.stringify(ground);
    fc.assert(
      fc.property(rules, (given) => {
        const outcome = run(given);
        expect(run(given)).toEqual(outcome);
        expect(JSON.stringify(ground)).toBe(before);
        if (outcome.failure !== null) expect(outcome.failure).toMatch(/^inspection rule r: /);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a file of built-in rules', () => {
  const fail = { op: 'fail', args: { msg: 'no' } };

  it('may have any priority, and no more than actions', () => {
    expect(
      builtInRules([
        { actions: [fail], priority: -1 },
        { actions: [fail], uuid: 'mine', priority: 20_000 },
      ]),
    ).toEqual([
      expect.objectContaining({ name: 'inspection rule built-in 1', priority: -1, conditions: [] }),
      expect.objectContaining({ name: 'inspection rule mine', priority: 20_000 }),
    ]);
  });

  it.each<[unknown, string]>([
    [{ rules: [] }, 'no list of rules'],
    [null, 'no list of rules'],
    [['text'], 'rule 1 is no mapping'],
    [[{ actions: [fail] }, { actions: [] }], 'rule 2: Schema error for actions'],
    [[{ actions: [fail], priority: 1.5 }], 'rule 1: the priority'],
    [[{ actions: [fail], loop: [] }], 'unknown field loop'],
    [[{ actions: [fail], phase: 'early' }], 'rule 1: the phase'],
    [[{ actions: [fail], conditions: [{ op: 'nope', args: {} }] }], 'unknown operator nope'],
    [[{ actions: [fail], conditions: [{ op: 'matches', args: { value: 'a', regex: '(' } }] }], 'no regular expression'],
  ])('%j is wrong in a place that is named (RUL-04)', (content, text) => {
    expect(builtInRules(content)).toContain(text);
  });
});
