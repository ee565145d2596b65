import { inOrder, misfit, requestOf } from '.';
import type { AllocationRequest, Candidate } from '.';

const node: Candidate = {
  uuid: 'n1',
  name: 'one',
  provision_state: 'available',
  power_state: 'power off',
  instance_uuid: null,
  maintenance: false,
  resource_class: 'gold',
  owner: 'alice',
  lessee: 'bob',
  traits: ['CUSTOM_A', 'CUSTOM_B'],
};
const request: AllocationRequest = {
  uuid: 'a1',
  name: null,
  resourceClass: 'gold',
  traits: [],
  candidates: [],
  owner: null,
};

describe('a node and an allocation', () => {
  it.each<[string, Partial<Candidate>, Partial<AllocationRequest>, boolean]>([
    ['free, of the class', {}, {}, true],
    ['of another class', { resource_class: 'iron' }, {}, false],
    ['without a class', { resource_class: null }, {}, false],
    ['not available', { provision_state: 'manageable' }, {}, false],
    ['with an instance', { instance_uuid: 'i' }, {}, false],
    ['in maintenance', { maintenance: true }, {}, false],
    ['of unknown power', { power_state: null }, {}, false],
    ['with all traits', {}, { traits: ['CUSTOM_B'] }, true],
    ['without a trait', {}, { traits: ['CUSTOM_A', 'CUSTOM_C'] }, false],
    ['among the candidates', {}, { candidates: ['n0', 'n1'] }, true],
    ['not among the candidates', {}, { candidates: ['n0'] }, false],
    ['of the owner', {}, { owner: 'alice' }, true],
    ['lent to the owner', {}, { owner: 'bob' }, true],
    ['of somebody else', {}, { owner: 'carol' }, false],
  ])('%s', (_, changed, asked, fits) => {
    expect(misfit({ ...node, ...changed }, { ...request, ...asked }) === null).toBe(fits);
  });

  it.each<[string, Partial<Candidate>, Partial<AllocationRequest>, boolean]>([
    ['active', {}, {}, true],
    ['active, whatever class', {}, { resourceClass: null }, true],
    ['active, in maintenance', { maintenance: true, power_state: null }, {}, true],
    ['available', { provision_state: 'available' }, {}, false],
    ['of another class', { resource_class: 'iron' }, {}, false],
    ['without a trait', {}, { traits: ['CUSTOM_C'] }, false],
  ])('in use: %s', (_, changed, asked, fits) => {
    const used = { ...node, provision_state: 'active', instance_uuid: 'i', ...changed };
    expect(misfit(used, { ...request, ...asked }, true) === null).toBe(fits);
  });

  it('are tried by name first, then by chance', () => {
    const nodes = ['a', 'b', 'c'].map((name) => ({ name }));
    const dice =
      (...numbers: number[]) =>
      () =>
        numbers.shift() ?? 0;
    expect(inOrder(nodes, null, dice(0.3, 0.1, 0.2)).map(({ name }) => name)).toEqual(['b', 'c', 'a']);
    expect(inOrder(nodes, 'c', dice(0.3, 0.1)).map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(inOrder([{ name: null }, { name: 'x' }], 'x', dice(0)).map(({ name }) => name)).toEqual(['x', null]);
  });

  it('are read from a stored document', () => {
    const document = { uuid: 'a', name: null, resource_class: 'gold', traits: ['T'], candidate_nodes: [], owner: 'o' };
    expect(requestOf(document)).toEqual({
      uuid: 'a',
      name: null,
      resourceClass: 'gold',
      traits: ['T'],
      candidates: [],
      owner: 'o',
    });
  });
});
