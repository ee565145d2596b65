import { specify } from '@lib/testing/specify';
import { decideResource, evolveResource } from '.';
import type { Resource, ResourceCommand, ResourceEvent } from '.';

const given = specify(
  {
    initial: null as Resource,
    decide: (command: ResourceCommand, resource: Resource, at: number) =>
      decideResource({ concept: 'Port', noun: 'port' }, command, resource, at),
    evolve: evolveResource,
  },
  (at: number) => at,
);
const document = { address: '52:54:00:aa:bb:cc', extra: { a: 1, b: 2 } };
const created: ResourceEvent = { type: 'PortCreated', data: { at: 1, document } };
const removed: ResourceEvent = { type: 'PortRemoved', data: { at: 3 } };

describe('a plain resource', () => {
  it('is created', () => {
    given().when({ type: 'Create', document }, 1).then(created);
    expect(given().when({ type: 'Create', document }, 1).thenState()).toEqual({
      document,
      createdAt: 1,
      updatedAt: null,
    });
  });

  it('is not created twice, but again after its removal', () => {
    given(created).when({ type: 'Create', document }, 2).thenRefused('DUPLICATE_UUID');
    given(created, removed)
      .when({ type: 'Create', document }, 4)
      .then({ type: 'PortCreated', data: { at: 4, document } });
  });

  it('records of a change what differs', () => {
    const after = { ...document, extra: { a: 2 } };
    given(created)
      .when({ type: 'Change', document: after }, 2)
      .then({ type: 'PortChanged', data: { at: 2, changed: { extra: { a: 2 } } } });
    expect(given(created).when({ type: 'Change', document: after }, 2).thenState()).toEqual({
      document: after,
      createdAt: 1,
      updatedAt: 2,
    });
  });

  it('of which nothing differs is touched', () => {
    const same = { extra: { b: 2, a: 1 }, address: document.address };
    given(created)
      .when({ type: 'Change', document: same }, 2)
      .then({ type: 'PortChanged', data: { at: 2, changed: {} } });
  });

  it('is removed once', () => {
    given(created).when({ type: 'Remove' }, 3).then(removed);
    given(created, removed).when({ type: 'Remove' }, 4).thenRefused('RESOURCE_NOT_FOUND');
    given(created, removed).when({ type: 'Change', document }, 4).thenRefused('RESOURCE_NOT_FOUND');
    given().when({ type: 'Remove' }, 4).thenRefused('RESOURCE_NOT_FOUND');
  });

  it('carries a key called __proto__ as data', () => {
    const odd = JSON.parse(
      '{"extra": {"__proto__": {"admin": true}}, "__proto__": {"admin": true}}',
    ) as typeof document;
    const resource = given(created).when({ type: 'Change', document: odd }, 2).thenState();
    expect(Object.hasOwn(resource?.document ?? {}, '__proto__')).toBe(true);
    expect((resource?.document as Record<string, unknown>)['admin']).toBeUndefined();
  });
});

describe('the log of a plain resource', () => {
  it('may hold more than this build knows', () => {
    const extra = { document: 1, changed: 2, colour: 'blue' };
    const change = { type: 'PortChanged', data: { at: 2, changed: { name: 'eth0' }, document: 1 } } as ResourceEvent;
    const goneWithMore = { type: 'PortRemoved', data: { ...extra, at: 3 } } as ResourceEvent;
    const changed = evolveResource(evolveResource(null, created), change);
    expect(changed).toEqual({ document: { ...document, name: 'eth0' }, createdAt: 1, updatedAt: 2 });
    expect(evolveResource(changed, goneWithMore)).toBeNull();
    expect(evolveResource(changed, { type: 'PortBlessed', data: { at: 4 } } as never)).toEqual(changed);
  });

  it('throws at an impossible step', () => {
    expect(() => evolveResource(null, removed)).toThrow('PortRemoved');
    expect(() => evolveResource(evolveResource(null, created), created)).toThrow('PortCreated');
  });
});
