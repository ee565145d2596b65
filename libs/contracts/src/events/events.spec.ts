import { plainResources } from '../resources';
import { eventMeanings, isEventMessage } from './index';
import { eventSubject } from '../subjects';

describe('events', () => {
  it('each have a subject of their own', () => {
    const subjects = Object.keys(eventMeanings).map((type) => eventSubject('p', 'node/u', type));
    expect(new Set(subjects).size).toBe(Object.keys(eventMeanings).length);
    expect(subjects).toContain('p.v1.evt.inspection.timed-out.u');
    expect(subjects).toContain('p.v1.evt.boot-device.change-requested.u');
    expect(subjects).toContain('p.v1.evt.clean-up.failed.u');
    expect(subjects.filter((subject) => !/^p\.v1\.evt\.[a-z-]+\.[a-z-]+\.u$/.test(subject))).toEqual([]);
  });

  it('of plain resources begin with the concept that their declaration gives them', () => {
    const expected = Object.values(plainResources).flatMap(({ concept }) =>
      ['Created', 'Changed', 'Removed'].map((word) => `${concept}${word}`),
    );
    expect(Object.keys(eventMeanings)).toEqual(expect.arrayContaining(expected));
  });
});

describe('a message of the stream', () => {
  const message = { logId: 'l', position: 1, stream: 'node/u', version: 1, type: 'NodeRemoved', schema: 1 };
  it.each([
    [message, true],
    [{ ...message, type: 'FromALaterRelease' }, true],
    [{ ...message, position: '1' }, false],
    [{ ...message, logId: undefined }, false],
    [null, false],
    ['text', false],
  ])('%j is one of ours: %s', (value, ours) => {
    expect(isEventMessage(value)).toBe(ours);
  });
});
