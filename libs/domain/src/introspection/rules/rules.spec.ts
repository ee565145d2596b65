import type { JsonObject } from '../json';
import { changeOf } from './actions';
import { conditionHolds, type RuleCondition } from './conditions';
import { applicableRules, parseRule } from './rule';

const NEW = '99999999-2222-4333-8444-555555555555';
const fail = { action: 'fail', message: 'x' };
const rule = (changes: JsonObject = {}) => parseRule({ actions: [fail], ...changes }, NEW);
const data = { cpus: 4, name: 'Example', empty: {}, ip: '192.0.2.9', inventory: { disks: [{ size: 1 }, { size: 3 }] } };
const node = {
  driver_info: { address: 'bmc' },
  properties: { inspection_scope: 'lab', capabilities: 'a:1' },
  extra: { list: [1] },
};
const fields = { data, node };

describe('a rule as posted', () => {
  it('is completed with its defaults', () => {
    expect(rule({ description: 'd', conditions: [{ op: 'eq', field: 'cpus', value: 4 }] })).toEqual({
      uuid: NEW,
      description: 'd',
      scope: null,
      conditions: [{ op: 'eq', field: 'cpus', value: 4, multiple: 'any', invert: false }],
      actions: [fail],
    });
  });

  it.each([
    ['no object', []],
    ['no actions', { conditions: [] }],
    ['empty actions', { actions: [] }],
    ['unknown key', { actions: [fail], priority: 1 }],
    ['bad uuid', { actions: [fail], uuid: 'x' }],
    ['long scope', { actions: [fail], scope: 'x'.repeat(256) }],
    ['description that is no text', { actions: [fail], description: 4 }],
    ['unknown action', { actions: [{ action: 'nope' }] }],
    ['missing parameter', { actions: [{ action: 'set-attribute', path: '/a' }] }],
    ['unknown parameter', { actions: [{ ...fail, more: 1 }] }],
    ['path without slash', { actions: [{ action: 'set-attribute', path: 'a', value: 1 }] }],
    ['conditions that are no list', { actions: [fail], conditions: {} }],
    ['unknown op', { actions: [fail], conditions: [{ op: 'nope', field: 'x', value: 1 }] }],
    ['op of the prototype', { actions: [fail], conditions: [{ op: 'constructor', field: 'x', value: 1 }] }],
    ['bad scheme', { actions: [fail], conditions: [{ op: 'eq', field: 'ftp://x', value: 1 }] }],
    ['bad multiple', { actions: [fail], conditions: [{ op: 'eq', field: 'x', value: 1, multiple: 'last' }] }],
    ['bad regular expression', { actions: [fail], conditions: [{ op: 'matches', field: 'x', value: '(' }] }],
    ['bad network', { actions: [fail], conditions: [{ op: 'in-net', field: 'x', value: 'x/8' }] }],
  ])('is refused: %s', (_case, body) => {
    expect(() => parseRule(body, NEW)).toThrow(expect.objectContaining({ code: 'INVALID' }));
  });
});

describe('conditions', () => {
  const holds = (condition: JsonObject): boolean =>
    conditionHolds({ multiple: 'any', invert: false, ...condition } as unknown as RuleCondition, fields);

  it.each([
    [{ op: 'eq', field: 'cpus', value: 4 }, true],
    [{ op: 'eq', field: 'data://cpus', value: '4' }, true],
    [{ op: 'ne', field: 'cpus', value: 4 }, false],
    [{ op: 'eq', field: 'cpus', value: 4, invert: true }, false],
    [{ op: 'gt', field: 'cpus', value: 3 }, true],
    [{ op: 'lt', field: 'cpus', value: 10 }, true],
    [{ op: 'le', field: 'cpus', value: 4 }, true],
    [{ op: 'ge', field: 'cpus', value: 5 }, false],
    [{ op: 'eq', field: 'inventory.disks[*].size', value: 3 }, true],
    [{ op: 'eq', field: 'inventory.disks[*].size', value: 3, multiple: 'all' }, false],
    [{ op: 'eq', field: 'inventory.disks[*].size', value: 3, multiple: 'first' }, false],
    [{ op: 'eq', field: 'inventory.disks[1].size', value: 3 }, true],
    [{ op: 'matches', field: 'name', value: 'Exam.*' }, true],
    [{ op: 'matches', field: 'name', value: 'Exam' }, false],
    [{ op: 'contains', field: 'name', value: 'xam' }, true],
    [{ op: 'in-net', field: 'ip', value: '192.0.2.0/24' }, true],
    [{ op: 'is-empty', field: 'empty' }, true],
    [{ op: 'is-empty', field: 'nowhere' }, true],
    [{ op: 'is-empty', field: 'name' }, false],
    [{ op: 'eq', field: 'nowhere', value: 1 }, false],
    [{ op: 'eq', field: 'node://driver_info.address', value: 'bmc' }, true],
  ])('%j: %s', (condition, expected) => expect(holds(condition)).toBe(expected));

  it('choose the rules, with their scope', () => {
    const rules = [
      rule(),
      rule({ scope: 'lab' }),
      rule({ scope: 'prod' }),
      rule({ conditions: [{ op: 'eq', field: 'cpus', value: 5 }] }),
    ];
    expect(applicableRules(rules, fields)).toEqual([rules[0], rules[1]]);
  });
});

describe('actions', () => {
  it.each([
    [
      { action: 'set-attribute', path: '/extra/a', value: 'cpus {data[cpus]}, disk {data[inventory][disks][1][size]}' },
      { path: '/extra/a', value: 'cpus 4, disk 3' },
    ],
    [
      { action: 'set-attribute', path: '/driver', value: 'x', reset_interfaces: true },
      { path: '/driver', resetInterfaces: true },
    ],
    [
      { action: 'extend-attribute', path: '/extra/list', value: 2 },
      { path: '/extra/list', value: [1, 2] },
    ],
    [{ action: 'extend-attribute', path: '/extra/list', value: 1, unique: true }, { value: [1] }],
    [{ action: 'extend-attribute', path: '/extra/none', value: 1 }, { value: [1] }],
    [
      { action: 'set-capability', name: 'b', value: 2 },
      { path: '/properties/capabilities', value: 'a:1,b:2' },
    ],
    [
      { action: 'add-trait', name: 'CUSTOM_A' },
      { kind: 'add-trait', name: 'CUSTOM_A' },
    ],
    [{ action: 'remove-trait', name: 'CUSTOM_A' }, { kind: 'remove-trait' }],
  ])('%j', (action, change) => expect(changeOf(action, node, data)).toMatchObject(change));

  it('fail with the text of the rule, or when the data lacks a value', () => {
    expect(() => changeOf({ action: 'fail', message: 'no {data[name]} here' }, node, data)).toThrow('no Example here');
    expect(() => changeOf({ action: 'set-attribute', path: '/a', value: '{data[nope]}' }, node, data)).toThrow(
      /no value for \{data\[nope\]\}/,
    );
    expect(() => changeOf({ action: 'extend-attribute', path: '/driver_info', value: 1 }, node, data)).toThrow(
      /not a list/,
    );
  });
});
