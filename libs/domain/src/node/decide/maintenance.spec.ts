import { specify } from '@lib/testing/specify';
import {
  aborting,
  contextAt,
  continued,
  endMaintenance,
  enroll,
  inspecting,
  maintain,
  nodeAfter,
  nodeDecider,
  someFields,
  story,
  update,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);

describe('maintenance', () => {
  it('needs a node', () => {
    given().when(maintain(), 0).thenRefused('NODE_NOT_FOUND');
    given().when(endMaintenance, 0).thenRefused('NODE_NOT_FOUND');
  });

  it('is set with its reason, or none, and cleared with reason and fault', () => {
    const past = story([enroll({ fault: 'power failure' }), 1000], [maintain('disk'), 2000]);
    expect(nodeAfter(past).fields).toMatchObject({ maintenance: true, maintenance_reason: 'disk' });
    expect(nodeAfter(continued(past, [maintain(), 3000])).fields.maintenance_reason).toBeNull();
    expect(nodeAfter(continued(past, [endMaintenance, 3000])).fields).toMatchObject({
      maintenance: false,
      maintenance_reason: null,
      fault: null,
    });
  });

  it.each([
    ['inspecting', inspecting()],
    ['inspect wait', waiting()],
    ['an open abort', aborting()],
  ])('never waits and ends nothing: %s', (_state, past) => {
    const before = nodeAfter(past);
    given(past)
      .when(maintain('m'), 30_000)
      .then({ type: 'MaintenanceSet', data: { at: 30_000, reason: 'm' } });
    const after = nodeAfter(continued(past, [maintain('m'), 30_000], [endMaintenance, 31_000]));
    expect(after).toEqual({ ...before, updatedAt: 31_000 });
  });

  it('that a patch ends clears reason and fault, and waits like any patch', () => {
    const past = story([enroll({ fault: 'power failure' }), 1000], [maintain('disk'), 2000]);
    const patched = update({ ...nodeAfter(past).fields, maintenance: false });
    expect(nodeAfter(continued(past, [patched, 3000])).fields).toMatchObject({
      maintenance: false,
      maintenance_reason: null,
      fault: null,
    });
    given(inspecting())
      .when(update(someFields({ maintenance: true }), { minor: 38 }), 11_000)
      .thenRefused('NODE_LOCKED', true);
  });
});
