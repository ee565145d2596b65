import { specify } from '@lib/testing/specify';
import type { NodeCommand, NodeEvent } from '..';
import type { TraitsChange } from '../../traits';
import { aborting, contextAt, enrolled, inspecting, nodeAfter, nodeDecider, waiting } from '../spec';

const given = specify(nodeDecider, contextAt);
const traits = (change: TraitsChange): NodeCommand => ({ type: 'ChangeTraits', change });
const changed = (at: number, ...names: string[]): NodeEvent => ({
  type: 'NodeTraitsChanged',
  data: { at, traits: names },
});

describe('traits of a node', () => {
  it('need a node', () => {
    given()
      .when(traits({ set: [] }), 0)
      .thenRefused('NODE_NOT_FOUND');
  });

  it.each([
    ['enroll', enrolled()],
    ['inspect wait', waiting()],
  ])('are replaced, extended and taken away in %s', (_, past) => {
    given(...past)
      .when(traits({ set: ['CUSTOM_B', 'CUSTOM_A'] }), 20_000)
      .then(changed(20_000, 'CUSTOM_A', 'CUSTOM_B'));
    const having = [...past, changed(20_000, 'CUSTOM_A', 'CUSTOM_B')];
    expect(nodeAfter(having).traits).toEqual(['CUSTOM_A', 'CUSTOM_B']);
    given(...having)
      .when(traits({ add: 'CUSTOM_AB' }), 21_000)
      .then(changed(21_000, 'CUSTOM_A', 'CUSTOM_AB', 'CUSTOM_B'));
    given(...having)
      .when(traits({ remove: 'CUSTOM_A', mustExist: true }), 21_000)
      .then(changed(21_000, 'CUSTOM_B'));
    given(...having)
      .when(traits({ set: [] }), 21_000)
      .then(changed(21_000));
  });

  it('that are there already make no event', () => {
    const having = [...enrolled(), changed(2000, 'CUSTOM_A')];
    given(...having)
      .when(traits({ add: 'CUSTOM_A' }), 3000)
      .thenNothing();
    given(...having)
      .when(traits({ set: ['CUSTOM_A', 'CUSTOM_A'] }), 3000)
      .thenNothing();
  });

  it('are refused where they are none, or not there', () => {
    given(...enrolled())
      .when(traits({ add: 'lower' }), 2000)
      .thenRefused('INVALID_PARAMETER');
    given(...enrolled())
      .when(traits({ remove: 'CUSTOM_A', mustExist: true }), 2000)
      .thenRefused('RESOURCE_NOT_FOUND');
  });

  it.each([
    ['inspecting', inspecting()],
    ['an open abort', aborting()],
  ])('wait for the release of a node that is locked by %s', (_, past) => {
    given(...past)
      .when(traits({ set: ['CUSTOM_A'] }), 21_000)
      .thenRefused('NODE_LOCKED', true);
  });
});
