import { httpCall, sleep, type Answer } from '../stack';
import { stepDifferences, type Difference } from './compare';
import { canonical, dig } from './dig';
import { Normaliser } from './normalise';
import { reset } from './reset';
import type { Json, Poll, Scenario, ScenarioRequest, Step } from './scenario';
import type { Target } from './target';

/** How one step went; `skipped` when its service has no address or nothing was recorded. */
export interface StepResult {
  readonly scenario: string;
  readonly step: string;
  readonly request: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** Whether the answer was held against a corrected one. */
  readonly corrected: boolean;
  readonly differences: readonly Difference[];
}

const POLL_TIMEOUT_S = 30;
const POLL_INTERVAL_S = 0.15;
const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)\}/g;

export const substitute = <T>(value: T, variables: ReadonlyMap<string, unknown>): T => {
  const inside = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      return inner.replace(VARIABLE, (all, name: string) => (variables.has(name) ? String(variables.get(name)) : all));
    }
    if (Array.isArray(inner)) return inner.map(inside);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [inside(key), inside(item)]));
  };
  return inside(value) as T;
};

const wanted = (got: unknown, want: Json): boolean => {
  if (Array.isArray(want)) return want.some((allowed) => allowed === (got ?? null));
  if (typeof want === 'object' && want !== null) {
    if (want['not_null'] === true && (got === null || got === undefined)) return false;
    if (typeof want['len'] === 'number') return (Array.isArray(got) ? got.length : 0) === want['len'];
    return want['not_null'] === true || canonical(got) === canonical(want);
  }
  return (got ?? null) === want;
};

export const reached = (answer: Answer, { until }: Poll): boolean =>
  Object.entries(until).every(([path, want]) =>
    path === '$status' ? answer.status === want : wanted(dig(answer.json, path), want),
  );

const send = (base: string, request: ScenarioRequest): Promise<Answer> => {
  const { method, path, raw, body, headers = {} } = request;
  if (raw !== undefined) return httpCall(base, { method, path, headers, body: raw });
  if (body === undefined) return httpCall(base, { method, path, headers });
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const sent = typed ? headers : { ...headers, 'Content-Type': 'application/json' };
  return httpCall(base, { method, path, headers: sent, body: JSON.stringify(body) });
};

const perform = async (base: string, request: ScenarioRequest, step: Step): Promise<[Answer, Difference[]]> => {
  if (step.sleep !== undefined) await sleep(step.sleep * 1000);
  const { poll } = step;
  const endMs = performance.now() + (poll?.timeout ?? POLL_TIMEOUT_S) * 1000;
  for (;;) {
    const answer = await send(base, request);
    if (poll === undefined || reached(answer, poll)) return [answer, []];
    if (performance.now() > endMs)
      return [answer, [{ path: 'poll', kind: 'poll', want: poll.until, got: 'not reached' }]];
    await sleep((poll.interval ?? POLL_INTERVAL_S) * 1000);
  }
};

const remember = (step: Step, answer: Answer, variables: Map<string, unknown>): void => {
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const value = path.startsWith('header.') ? answer.headers[path.slice('header.'.length)] : dig(answer.json, path);
    if (value !== undefined && value !== null) variables.set(name, value);
  }
};

class Run {
  private readonly variables: Map<string, unknown>;

  constructor(
    private readonly target: Target,
    private readonly scenario: Scenario,
  ) {
    this.variables = new Map(Object.entries(scenario.variables ?? {}));
  }

  async step(step: Step): Promise<StepResult> {
    const request = substitute(step.request, this.variables);
    const base = this.target.urls[request.service ?? 'ironic'];
    if (base === undefined) return this.result(step, 'skipped', []);
    const [answer, late] = await perform(base, request, step);
    remember(step, answer, this.variables);
    if (step.expect === undefined && step.corrected === undefined) return this.result(step, 'skipped', []);
    const normalised = new Normaliser(this.target, this.variables).answer(answer, step);
    const found = [...late, ...stepDifferences(step, normalised)];
    return this.result(step, found.length === 0 ? 'passed' : 'failed', found);
  }

  lost(step: Step, reason: string): StepResult {
    return this.result(step, 'failed', [{ path: 'run', kind: 'run', want: 'an answer', got: reason }]);
  }

  private result(step: Step, result: StepResult['result'], found: readonly Difference[]): StepResult {
    return {
      scenario: this.scenario.name,
      step: step.id,
      request: `${step.request.method} ${step.request.path}`,
      result,
      corrected: step.corrected !== undefined,
      differences: found,
    };
  }
}

const setupFailed = ({ step, differences }: StepResult): boolean =>
  step.startsWith('setup-') && differences.some(({ kind }) => kind === 'status' || kind === 'poll');

/**
 * Replays one scenario, from an emptied inventory unless it says otherwise. Every step gets a result: when a set-up
 * step fails, or a request gets no answer, those that follow count as failed.
 */
export const runScenario = async (target: Target, scenario: Scenario): Promise<StepResult[]> => {
  const run = new Run(target, scenario);
  const results: StepResult[] = [];
  let stopped: string | null = null;
  try {
    if (scenario.reset !== false) await reset(target);
  } catch (error) {
    stopped = `reset: ${String(error)}`;
  }
  for (const step of scenario.steps) {
    if (stopped !== null) {
      results.push(run.lost(step, stopped));
      continue;
    }
    try {
      const result = await run.step(step);
      results.push(result);
      if (setupFailed(result)) stopped = `not run: set-up failed at ${step.id}`;
    } catch (error) {
      results.push(run.lost(step, String(error)));
      stopped = `not run: stopped at ${step.id}`;
    }
  }
  return results;
};
