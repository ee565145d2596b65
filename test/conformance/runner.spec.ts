import { complaints, judge, summary, unknownEntries } from './judge';
import { RecordedServer, type Mutation } from './recorded-server';
import { runScenario, type StepResult } from './run-scenario';
import { loadScenarios, type Scenario, type Step } from './scenario';
import { discover } from './target';

const scenarios = loadScenarios();
/** The waits between steps are the recorded server's, not the runner's. */
const hasty = (scenario: Scenario): Scenario => ({
  ...scenario,
  steps: scenario.steps.map(({ sleep: _sleep, ...step }) => step),
});
const replay = async (scenario: Scenario, mutate?: Mutation, recorded = scenario): Promise<StepResult[]> => {
  const server = new RecordedServer(recorded, mutate);
  const [ironic, inspector] = await server.listen();
  try {
    return await runScenario(await discover(ironic, inspector), hasty(scenario));
  } finally {
    await server.close();
  }
};
const failedSteps = (rows: readonly StepResult[]): string[] =>
  rows.filter(({ result }) => result === 'failed').map(({ step }) => step);

describe('recorded answers, played back', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s passes', async (_name, scenario) => {
    const rows = await replay(scenario);
    expect(rows).toHaveLength(scenario.steps.length);
    expect(complaints(judge(rows, {}))).toBe('');
  });
});

const scenario = (...steps: Step[]): Scenario => ({ name: 's', family: 'f', why: 'w', steps });
const node: Step = {
  id: 'get',
  request: { method: 'GET', path: '/v1/nodes/n1' },
  expect: {
    status: 200,
    headers: { 'content-type': 'application/json', 'openstack-request-id': true },
    body: {
      name: 'n1',
      uuid: '<uuid>',
      last_error: 'it broke',
      provision_state: 'inspect wait',
      count: 1,
      list: ['a'],
    },
  },
};

const bodyOf = (answer: { body: unknown }): Record<string, unknown> => answer.body as Record<string, unknown>;
const MUTATIONS: ReadonlyArray<readonly [string, Mutation]> = [
  ['another status', (answer) => void (answer.status = 404)],
  ['another content type', (answer) => void (answer.headers['content-type'] = 'text/plain')],
  ['no request id', (answer) => void delete answer.headers['openstack-request-id']],
  ['a header too many', (answer) => void (answer.headers['location'] = 'http://example.org')],
  ['a key too few', (answer) => void delete bodyOf(answer)['name']],
  ['a key too many', (answer) => void (bodyOf(answer)['extra'] = {})],
  ['another value', (answer) => void (bodyOf(answer)['provision_state'] = 'inspecting')],
  ['a number as text', (answer) => void (bodyOf(answer)['count'] = '1')],
  ['null in place of a text', (answer) => void (bodyOf(answer)['last_error'] = null)],
  ['a list that is longer', (answer) => void (bodyOf(answer)['list'] = ['a', 'b'])],
  ['no uuid', (answer) => void (bodyOf(answer)['uuid'] = 'n1')],
];

describe('an answer that differs', () => {
  it.each(MUTATIONS)('by %s fails', async (_what, mutate) => {
    expect(failedSteps(await replay(scenario(node), mutate))).toEqual(['get']);
  });

  it('only by the wording of a human text passes', async () => {
    const rows = await replay(scenario(node), (answer) => void (bodyOf(answer)['last_error'] = 'in other words'));
    expect(failedSteps(rows)).toEqual([]);
  });

  it('is only held against the keys of a partial correction', async () => {
    const step: Step = { ...node, corrected: { status: 406, partial: true, because: 'of a reason' } };
    expect(failedSteps(await replay(scenario(step), (answer) => void (bodyOf(answer)['name'] = 'x')))).toEqual([]);
    expect(failedSteps(await replay(scenario(step), (answer) => void (answer.status = 200)))).toEqual(['get']);
  });

  it('from a recorded 5xx passes as any refusal, and only as one', async () => {
    const step: Step = { ...node, expect: { status: 500, body: {} } };
    expect(failedSteps(await replay(scenario(step), (answer) => void (answer.status = 400)))).toEqual([]);
    expect(failedSteps(await replay(scenario(step), (answer) => void (answer.status = 200)))).toEqual(['get']);
  });

  it('is asked for again while it is polled, and fails when it never comes', async () => {
    const poll = { until: { provision_state: 'manageable' }, timeout: 0.2, interval: 0.01 };
    const step: Step = { ...node, poll };
    const rows = await replay(scenario(step));
    expect(rows[0]?.differences[0]?.kind).toBe('poll');
  });
});

describe('a poll', () => {
  it('takes the answer that it waited for', async () => {
    let calls = 0;
    const step: Step = {
      ...node,
      poll: { until: { name: ['n1', 'n2'], uuid: { not_null: true }, list: { len: 1 } }, interval: 0.01 },
    };
    const late: Mutation = (answer) => {
      calls += 1;
      if (calls < 3) bodyOf(answer)['name'] = 'not yet';
    };
    const rows = await replay(scenario(step), late, scenario(step, step, step));
    expect(calls).toBe(3);
    expect(rows[0]?.result).toBe('passed');
  });
});

describe('variables', () => {
  it('carry a value from one answer into later requests and expectations', async () => {
    const setup: Step = {
      id: 'setup-node',
      request: { method: 'POST', path: '/v1/nodes', body: {} },
      save: { NODE: 'uuid' },
      compare: 'status',
      expect: { status: 201 },
    };
    const get: Step = {
      ...node,
      request: { method: 'GET', path: '/v1/nodes/${NODE}' },
      expect: { status: 200, headers: { 'openstack-request-id': false }, body: { uuid: '${NODE}' } },
    };
    expect(failedSteps(await replay(scenario(setup, get)))).toEqual([]);
    const other: Mutation = (answer, { id }) => {
      if (id === 'get') bodyOf(answer)['uuid'] = '11111111-2222-4333-8444-555555555555';
    };
    expect(failedSteps(await replay(scenario(setup, get), other))).toEqual(['get']);
  });

  it('are not had when the set-up fails: what follows counts as failed', async () => {
    const setup: Step = { ...node, id: 'setup-node' };
    const rows = await replay(scenario(setup, node), (answer) => void (answer.status = 500));
    expect(rows.map(({ result }) => result)).toEqual(['failed', 'failed']);
    expect(rows[1]?.differences[0]?.got).toContain('setup-node');
  });

  it('are not had when the set-up is known to fail, but what does not need them is still asked', async () => {
    const setup: Step = { ...node, id: 'setup-node' };
    const server = new RecordedServer(scenario(setup, node), (answer, { id }) => {
      if (id === 'setup-node') answer.status = 500;
    });
    const [ironic] = await server.listen();
    const rows = await runScenario(await discover(ironic), scenario(setup, node), (name) => name === 's/setup-node');
    await server.close();
    expect(rows.map(({ result }) => result)).toEqual(['failed', 'passed']);
  });
});

describe('the inspector', () => {
  it('is skipped, and counted, when it has no address', async () => {
    const step: Step = { ...node, request: { ...node.request, service: 'inspector' } };
    const server = new RecordedServer(scenario(step));
    const [ironic] = await server.listen();
    const rows = await runScenario(await discover(ironic), scenario(step));
    await server.close();
    expect(judge(rows, {}).skipped).toBe(1);
  });
});

describe('the table of what is left', () => {
  const wrong: Mutation = (answer, { id }) => {
    if (id !== 'good') answer.status = 404;
  };
  const good: Step = { ...node, id: 'good' };
  const corrected: Step = { ...node, id: 'good', corrected: { ...node.expect, because: 'of a reason' } };

  it('excuses a step that differs, by name or with its scenario', async () => {
    const rows = await replay(scenario(node, good), wrong);
    const byName = judge(rows, { 's/get': 'later' });
    expect(complaints(byName)).toBe('');
    expect(summary('x', byName)).toBe('x: 1 passed, 0 corrected, 1 left\n  left s/get: later');
    expect(complaints(judge(rows, { 's/*': 'later' }))).toBe('');
    expect(judge(rows, {}).failed).toHaveLength(1);
  });

  it('counts answers that pass as corrected', async () => {
    expect(judge(await replay(scenario(corrected)), {})).toMatchObject({ passed: 0, corrected: 1 });
  });

  it('does not excuse a step that passes', async () => {
    const rows = await replay(scenario(node, good), wrong);
    expect(judge(rows, { 's/get': 'later', 's/good': 'later' }).stale).toEqual(['s/good']);
    expect(judge(await replay(scenario(good)), { 's/*': 'later' }).stale).toEqual(['s/*']);
  });

  it('names only what exists', () => {
    expect(unknownEntries({ 's/get': '', 's/*': '', 's/none': '', 'none/*': '' }, [scenario(node)])).toEqual([
      's/none',
      'none/*',
    ]);
  });
});
