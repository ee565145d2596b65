import { writeFileSync } from 'node:fs';
import { startStack, type Stack } from '../stack';
import { complaints, judge, loadLeft, summary, unknownEntries } from './judge';
import { PROFILES } from './profiles';
import { runScenario, type StepResult } from './run-scenario';
import { loadScenarios, type Scenario } from './scenario';
import { discover, type Target } from './target';

/**
 * Replays the recorded exchanges against a running stack, one stack per profile. Environment:
 * CONFORMANCE_ONLY (comma list of scenario names), CONFORMANCE_PROFILE (only this one), CONFORMANCE_JSON (file for the
 * results), CONFORMANCE_BASE and CONFORMANCE_INSPECTOR (a server that runs already, set up for CONFORMANCE_PROFILE).
 */
const { CONFORMANCE_ONLY, CONFORMANCE_PROFILE, CONFORMANCE_JSON, CONFORMANCE_BASE, CONFORMANCE_INSPECTOR } =
  process.env;
const profileOf = ({ profile = 'default' }: Scenario): string => profile;
const wantedProfile = CONFORMANCE_PROFILE ?? (CONFORMANCE_BASE === undefined ? undefined : 'default');
const names = CONFORMANCE_ONLY?.split(',');
const everything = loadScenarios();
const scenarios = everything.filter(
  (scenario) =>
    (names === undefined || names.includes(scenario.name)) &&
    (wantedProfile === undefined || profileOf(scenario) === wantedProfile),
);
const left = loadLeft();
const profiles = [...new Set(scenarios.map(profileOf))].sort();
const all: StepResult[] = [];

const START_TIMEOUT_MS = 240_000;
const SCENARIO_TIMEOUT_MS = 300_000;

const open = async (name: string): Promise<readonly [Target, Stack | undefined]> => {
  if (CONFORMANCE_BASE !== undefined) return [await discover(CONFORMANCE_BASE, CONFORMANCE_INSPECTOR), undefined];
  const profile = PROFILES[name];
  if (profile === undefined) throw new Error(`no settings for profile ${name}`);
  const stack = await startStack({ ...profile, layout: 'up' });
  const target = await discover(stack.apiUrl, profile.services === undefined ? stack.inspectorUrl : undefined);
  return [{ ...target, described: true }, stack];
};

describe('the table of what is left', () => {
  it('names only steps that exist', () => {
    expect(unknownEntries(left, everything)).toEqual([]);
  });

  it('is asked about at least one scenario', () => {
    expect(scenarios).not.toEqual([]);
  });
});

describe.each(profiles)('recorded exchanges, profile %s', (name) => {
  const mine = scenarios.filter((scenario) => profileOf(scenario) === name);
  const results: StepResult[] = [];
  let target: Target;
  let stack: Stack | undefined;

  beforeAll(async () => {
    [target, stack] = await open(name);
  }, START_TIMEOUT_MS);

  afterAll(async () => {
    await stack?.stop();
    if (results.length > 0) process.stdout.write(`${summary(`profile ${name}`, judge(results, left))}\n`);
  }, 60_000);

  it.each(mine.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      const rows = await runScenario(target, scenario, (step) => Object.hasOwn(left, step));
      results.push(...rows);
      all.push(...rows);
      expect(complaints(judge(rows, left))).toBe('');
    },
    SCENARIO_TIMEOUT_MS,
  );
});

afterAll(() => {
  if (CONFORMANCE_JSON !== undefined) writeFileSync(CONFORMANCE_JSON, `${JSON.stringify(all, null, 1)}\n`);
  if (profiles.length < 2 || all.length === 0) return;
  const [numbers] = summary('all profiles', judge(all, left)).split('\n');
  process.stdout.write(`${numbers}\n`);
});
