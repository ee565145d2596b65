import facts from '../../../../test/contract-data/notifications.json';
import { subjects } from '../subjects';
import { plainKinds } from '../resources';
import { eventTypeOf, isSentAt, notificationBody, notificationLevels, payloadClasses, payloadOf, toldKinds } from '.';
import type { Notification } from '.';

const notification: Notification = {
  object: 'node',
  action: 'provision_set',
  status: 'end',
  level: 'info',
  service: 'ironic-conductor',
  payload: 'NodeSetProvisionStatePayload',
  data: { uuid: 'u' },
};

describe('versioned notifications', () => {
  it('have the payload classes, versions and fields of the contract', () => {
    const declared = Object.entries(payloadClasses).map(([name, { version, fields }]) => [
      name,
      { version, fields: [...fields].sort() },
    ]);
    const expected = Object.entries(facts.payload_classes).map(([name, { version, fields }]) => [
      name,
      { version, fields },
    ]);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(expected));
  });

  it('go out in the envelope of the contract', () => {
    const sending = { messageId: 'm', host: 'conductor-1', timestamp: '2026-11-30 09:12:42.354000' };
    expect(notificationBody(notification, sending)).toEqual({
      priority: 'INFO',
      event_type: 'baremetal.node.provision_set.end',
      publisher_id: 'ironic-conductor.conductor-1',
      timestamp: '2026-11-30 09:12:42.354000',
      message_id: 'm',
      payload: {
        'ironic_object.name': 'NodeSetProvisionStatePayload',
        'ironic_object.namespace': 'ironic',
        'ironic_object.version': '1.18',
        'ironic_object.data': { uuid: 'u' },
      },
    });
  });

  it('name plain resources in one word each', () => {
    expect(
      plainKinds.map((kind) => eventTypeOf({ ...toldKinds[kind], action: 'create', status: 'start' })).sort(),
    ).toEqual([
      'baremetal.allocation.create.start',
      'baremetal.chassis.create.start',
      'baremetal.deploytemplate.create.start',
      'baremetal.inspectionrule.create.start',
      'baremetal.port.create.start',
      'baremetal.portgroup.create.start',
      'baremetal.runbook.create.start',
      'baremetal.volumeconnector.create.start',
      'baremetal.volumetarget.create.start',
    ]);
  });

  it('have five levels, and the lowest that is asked for decides', () => {
    expect(notificationLevels.filter((level) => isSentAt(level, 'warning'))).toEqual(['warning', 'error', 'critical']);
    expect(notificationLevels.every((level) => isSentAt(level, 'debug'))).toBe(true);
  });

  it('have a subject by topic and level, and a stream whose name holds no dots', () => {
    expect(subjects.notification('lab.one', 'ironic_versioned_notifications', 'info')).toBe(
      'lab.one.v1.ntf.ironic_versioned_notifications.info',
    );
    expect(subjects.notificationStreamName('lab.one')).toBe('lab_one_v1_ntf');
  });

  it('show the fields of their class, null where there is none, and no others', () => {
    expect(payloadOf('ChassisCRUDPayload', { uuid: 'u', links: [], extra: {} })).toEqual({
      uuid: 'u',
      description: null,
      extra: {},
      created_at: null,
      updated_at: null,
    });
  });
});
