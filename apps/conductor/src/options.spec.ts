import { loadSettings } from '@lib/adapters/settings-file';
import { conductorOptions } from './options';

const FILE = `
[inspector]
retry_attempts = 2
group_retry_attempts = Rack-7:3, lab:0
retry_backoff = 1.5
retry_backoff_factor = 3
retry_backoff_max = 90
`;

const policyOf = (text: string) =>
  conductorOptions(loadSettings({ FERROLOG_CONFIG: 'a file' }, () => text).settings).policy;

it('a policy of retries is read with its groups, whose names are kept in small letters as those of nodes are', () => {
  expect(policyOf(FILE).inspectRetry).toEqual({
    attempts: 2,
    groups: { 'rack-7': 3, lab: 0 },
    backoffSeconds: 1.5,
    factor: 3,
    secondsMax: 90,
  });
});

it('there is none unless it is set', () => {
  expect(policyOf('').inspectRetry).toMatchObject({ attempts: 0, groups: {} });
});

it.each(['lab', 'lab:-1', 'lab:101', 'lab:many'])('a group with %j is refused', (pair) => {
  expect(() => policyOf(`[inspector]\ngroup_retry_attempts = ${pair}\n`)).toThrow('group_retry_attempts');
});
