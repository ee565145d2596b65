import { readSettings } from '@lib/contracts';
import { inspectorOptionsFrom } from './options-from-settings';
import { defaultInspectorOptions } from './start-inspector-simulator';

const optionsOf = (...lines: [name: string, text: string][]) => {
  const values = lines.map(([name, text]) => ({ section: 'simulator', name, text, source: 'spec' }));
  const { settings, problems } = readSettings(values, { hostname: 'h.example' });
  expect(problems).toEqual([]);
  return inspectorOptionsFrom(settings);
};

describe('section [simulator]', () => {
  it('has the defaults of the simulator itself', () => {
    expect({ ...defaultInspectorOptions, ...optionsOf() }).toEqual(defaultInspectorOptions);
  });

  it('is in seconds where the simulator is in milliseconds', () => {
    const options = optionsOf(['timeout', '90'], ['clean_up_period', '0.5'], ['store_data', 'none']);
    expect(options).toMatchObject({ timeoutMs: 90_000, cleanUpPeriodMs: 500, storeData: false });
  });

  it('makes a fleet of its weights', () => {
    expect(
      optionsOf(['fleet_weights', 'succeed:8, never:1'], ['fleet_seed', '4711'], ['fleet_after', '1,3']).fleet,
    ).toEqual({
      seed: '4711',
      weights: { succeed: 8, never: 1 },
      afterMsMin: 1000,
      afterMsMax: 3000,
    });
  });
});
