import { startStack, type Stack } from '../stack';
import { complaints, judge, loadLeft, summary, unknownEntries } from './judge';
import { PROFILES } from './profiles';
import { runScenario, type StepResult } from './run-scenario';
import { loadScenarios, type Scenario } from './scenario';
import { discover, type Target } from './target';

/**
 * Replays the recorded exchanges against a running stack, one stack per profile.
 * CONFORMANCE_ONLY=<part of a name> runs only the scenarios whose name contains it.
 */
const only = process.env['CONFORMANCE_ONLY'] ?? '';
const everything = loadScenarios();
const scenarios = everything.filter(({ name }) => name.includes(only));
const left = loadLeft();
const profileOf = ({ profile = 'default' }: Scenario): string => profile;
const profiles = [...new Set(scenarios.map(profileOf))].sort();
const all: StepResult[] = [];

const SCENARIO_TIMEOUT_MS = 300_000;

describe('the table of what is left', () => {
  it('names only steps that exist', () => {
    expect(unknownEntries(left, everything)).toEqual([]);
  });
});

describe.each(profiles)('recorded exchanges, profile %s', (name) => {
  const mine = scenarios.filter((scenario) => profileOf(scenario) === name);
  const results: StepResult[] = [];
  let stack: Stack | undefined;
  let target: Target;

  beforeAll(async () => {
    const profile = PROFILES[name];
    if (profile === undefined) throw new Error(`no settings for profile ${name}`);
    stack = await startStack({ ...profile, layout: 'up' });
    target = await discover(stack.apiUrl, profile.services === undefined ? stack.inspectorUrl : undefined);
  }, SCENARIO_TIMEOUT_MS);

  afterAll(async () => {
    await stack?.stop();
    if (results.length > 0) process.stdout.write(`${summary(`profile ${name}`, judge(results, left))}\n`);
  }, 60_000);

  it.each(mine.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      const rows = await runScenario(target, scenario);
      results.push(...rows);
      all.push(...rows);
      expect(complaints(judge(rows, left))).toBe('');
    },
    SCENARIO_TIMEOUT_MS,
  );
});

afterAll(() => {
  if (profiles.length > 1 && all.length > 0)
    process.stdout.write(`${summary('all profiles', judge(all, left)).split('\n')[0]}\n`);
});
