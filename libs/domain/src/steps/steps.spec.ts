import { deploySteps, reservedStep, stepsInOrder, stepsProblem } from '.';

const step = (name: string, rest: object = {}) => ({ interface: 'deploy', step: name, ...rest });

describe('the order of steps', () => {
  it('is as written, unless each of them says its place', () => {
    const some = [step('a', { order: 2 }), step('b')];
    expect(stepsInOrder(some)).toEqual(some);
    const all = [step('a', { order: 10 }), step('b', { order: '9' }), step('c', { order: 10 })];
    expect(stepsInOrder(all).map((one) => one.step)).toEqual(['b', 'a', 'c']);
  });

  it('of a deployment is by priority; the first source has the last word, and 0 leaves a step out', () => {
    const own = [step('deploy', { priority: 100 }), step('extra', { priority: 5 })];
    const asked = [step('extra', { priority: 0 }), step('late', { priority: '7' })];
    const template = [step('deploy', { priority: 3 }), step('first', { priority: 200 })];
    expect(deploySteps(asked, template, own).map(({ step: name }) => name)).toEqual(['first', 'late', 'deploy']);
  });
});

describe('reserved steps', () => {
  it.each([
    ['hold', undefined, { does: 'hold' }],
    ['wait', undefined, { does: 'wait', seconds: null }],
    ['wait', { seconds: '1.5' }, { does: 'wait', seconds: 1.5 }],
    ['power_on', {}, { does: 'power', target: 'power on' }],
    ['power_off', {}, { does: 'power', target: 'power off' }],
    ['reboot', {}, { does: 'power', target: 'rebooting' }],
    ['erase_devices', {}, null],
    ['constructor', {}, null],
  ] as const)('%s with %j', (name, args, meaning) => {
    expect(reservedStep(step(name, args ? { args } : {}))).toEqual(meaning);
  });

  it.each(['', ' ', 'soon', -1, 86_401, null, true, {}])('refuse to pause for %j', (seconds) => {
    expect(stepsProblem('clean_steps', [step('wait', { args: { seconds } })])).toContain('args/seconds');
    expect(stepsProblem('clean_steps', [step('other', { args: { seconds } })])).toBeNull();
  });

  it.each([0, 86_400, '30'])('pause for %j', (seconds) => {
    expect(stepsProblem('clean_steps', [step('wait', { args: { seconds } })])).toBeNull();
  });
});
