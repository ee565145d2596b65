import { decide } from '..';
import type { Node, NodeCommand, NodeEvent, NodeFields } from '..';
import type { AllocationRequest } from '../../allocation';
import { aNode, available, contextAt, nodeAfter, update } from '../spec';

const request: AllocationRequest = {
  uuid: 'a1',
  name: null,
  resourceClass: null,
  traits: ['CUSTOM_A'],
  candidates: [],
  owner: 'alice',
};
const allocated: NodeEvent = {
  type: 'NodeAllocated',
  data: { at: 9000, allocation: { uuid: 'a1', owner: 'alice' }, traits: ['CUSTOM_A'] },
};
const counters = { attempt: 0, effect: 0, deadline: 0 };

const free: Partial<Node> = { provisionState: 'available', powerState: 'power off', traits: ['CUSTOM_A'] };
const decided = (command: NodeCommand, state: Partial<Node>, fields: Partial<NodeFields> = {}) =>
  decide(command, { counters, node: aNode(state, { owner: 'alice', ...fields }) }, contextAt(9000));
const codeOf = (...args: Parameters<typeof decided>): string => {
  try {
    decided(...args);
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const take = (inUse = false): NodeCommand => ({ type: 'Allocate', request, inUse });
const release: NodeCommand = { type: 'ReleaseAllocation' };
const held = { ...free, allocation: { uuid: 'a1', owner: 'alice' } };
const reservation = { host: 'h', effect: 1 };

describe('a node that is allocated', () => {
  it('has the allocation as its instance, until that ends', () => {
    expect(decided(take(), free)).toEqual([allocated]);
    const past = [...available(), allocated];
    expect(nodeAfter(past)).toMatchObject({
      allocation: { uuid: 'a1' },
      fields: { instance_uuid: 'a1', instance_info: { traits: ['CUSTOM_A'] } },
    });
    const ended: NodeEvent = { type: 'NodeUpdated', data: { at: 9500, changed: { instance_uuid: null } } };
    expect(nodeAfter([...past, ended]).allocation).toBeNull();
  });

  it.each<[string, Partial<Node>, Partial<NodeFields>, boolean, string]>([
    ['locked', { ...free, reservation }, {}, false, 'NODE_LOCKED'],
    ['allocated', held, { instance_uuid: 'a1' }, false, 'NODE_ASSOCIATED'],
    ['not available', { ...free, provisionState: 'manageable' }, {}, false, 'STATE_CONFLICT'],
    ['not active', free, {}, true, 'STATE_CONFLICT'],
    [
      'active, of another instance',
      { ...free, provisionState: 'active' },
      { instance_uuid: 'x' },
      true,
      'NODE_ASSOCIATED',
    ],
    ['active, of this instance', { ...free, provisionState: 'active' }, { instance_uuid: 'a1' }, true, 'accepted'],
    ['active, without an instance', { ...free, provisionState: 'active' }, {}, true, 'accepted'],
  ])('%s', (_, state, fields, inUse, code) => {
    expect(codeOf(take(inUse), state, fields)).toBe(code);
  });

  it.each<[string, Partial<Node>, Partial<NodeFields>, string]>([
    ['available', {}, {}, 'accepted'],
    ['active', { provisionState: 'active' }, {}, 'STATE_CONFLICT'],
    ['active, in maintenance', { provisionState: 'active' }, { maintenance: true }, 'accepted'],
    ['on its way', { provisionState: 'deploying', targetProvisionState: 'active' }, {}, 'STATE_CONFLICT'],
    ['failed on its way', { provisionState: 'deploy failed', targetProvisionState: 'active' }, {}, 'accepted'],
    ['locked', { reservation }, {}, 'NODE_LOCKED'],
  ])('%s, and the allocation is deleted', (_, state, fields, code) => {
    expect(codeOf(release, { ...held, ...state }, { instance_uuid: 'a1', ...fields })).toBe(code);
  });

  it('is released with what the allocation had put there', () => {
    const fields = { instance_uuid: 'a1', instance_info: { traits: ['CUSTOM_A'], image: 'i' } };
    const changed = { instance_uuid: null, instance_info: { image: 'i' } };
    expect(decided(release, held, fields)).toEqual([{ type: 'NodeUpdated', data: { at: 9000, changed } }]);
    expect(decided(release, free)).toEqual([]);
  });

  it('keeps its owner and, in use, its instance', () => {
    const patched = (state: Partial<Node>, before: Partial<NodeFields>, after: Partial<NodeFields>): string => {
      const fields = { owner: 'alice', instance_uuid: 'a1', ...before };
      return codeOf(update({ ...aNode({}, fields).fields, ...after }), state, fields);
    };
    expect(patched(held, {}, { owner: 'bob' })).toBe('STATE_CONFLICT');
    expect(patched({ ...held, allocation: { uuid: 'a1', owner: null } }, {}, { owner: 'bob' })).toBe('accepted');
    expect(patched(held, {}, { instance_uuid: null })).toBe('accepted');
    expect(patched({ ...held, provisionState: 'active' }, {}, { instance_uuid: null })).toBe('STATE_CONFLICT');
    expect(patched({ ...held, provisionState: 'active' }, { maintenance: true }, { instance_uuid: null })).toBe(
      'accepted',
    );
  });
});
