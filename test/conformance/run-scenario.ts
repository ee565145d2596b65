import { answerProblems } from '../openapi';
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

/** Says of `scenario/step` whether it is known to fail. */
export type Known = (name: string) => boolean;

const POLL_TIMEOUT_S = 30;
/** A step that is known to fail is not waited for long. */
const KNOWN_POLL_TIMEOUT_S = 2;
const POLL_INTERVAL_S = 0.15;
const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)\}/g;

/**
 * Puts variables into a request. A property that is nothing but a `missing` variable is left out: the set-up step that
 * was to save it is known to fail, and the rest of the request can still be asked.
 */
export const substitute = <T>(
  value: T,
  variables: ReadonlyMap<string, unknown>,
  missing: ReadonlySet<string> = new Set(),
): T => {
  const absent = (inner: unknown): boolean =>
    typeof inner === 'string' && /^\$\{\w+\}$/.test(inner) && missing.has(inner.slice(2, -1));
  const inside = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      return inner.replace(VARIABLE, (all, name: string) => (variables.has(name) ? String(variables.get(name)) : all));
    }
    if (Array.isArray(inner)) return inner.map(inside);
    if (typeof inner !== 'object' || inner === null) return inner;
    const kept = Object.entries(inner).filter(([, item]) => !absent(item));
    return Object.fromEntries(kept.map(([key, item]) => [inside(key), inside(item)]));
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

const perform = async (
  base: string,
  request: ScenarioRequest,
  step: Step,
  longestS: number,
): Promise<[Answer, Difference[]]> => {
  if (step.sleep !== undefined) await sleep(step.sleep * 1000);
  const { poll } = step;
  const endMs = performance.now() + Math.min(longestS, poll?.timeout ?? POLL_TIMEOUT_S) * 1000;
  for (;;) {
    const answer = await send(base, request);
    if (poll === undefined || reached(answer, poll)) return [answer, []];
    if (performance.now() > endMs)
      return [answer, [{ path: 'poll', kind: 'poll', want: poll.until, got: 'not reached' }]];
    await sleep((poll.interval ?? POLL_INTERVAL_S) * 1000);
  }
};

/** What the description of our API says otherwise than its answer; of other services and other servers there is none. */
const undescribed = (
  { described = false }: Target,
  { service = 'ironic', method, path }: ScenarioRequest,
  answer: Answer,
): Difference[] =>
  described && service === 'ironic'
    ? answerProblems({ method, path, ...answer }).map((got) => ({
        path: 'openapi.json',
        kind: 'description',
        want: 'as described',
        got,
      }))
    : [];

const remember = (step: Step, answer: Answer, variables: Map<string, unknown>): void => {
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const value = path.startsWith('header.') ? answer.headers[path.slice('header.'.length)] : dig(answer.json, path);
    if (value !== undefined && value !== null) variables.set(name, value);
  }
};

class Run {
  private readonly variables: Map<string, unknown>;
  private readonly missing = new Set<string>();

  constructor(
    private readonly target: Target,
    private readonly scenario: Scenario,
    private readonly known: Known,
  ) {
    this.variables = new Map(Object.entries(scenario.variables ?? {}));
  }

  async step(step: Step): Promise<StepResult> {
    const known = this.known(`${this.scenario.name}/${step.id}`);
    const request = substitute(step.request, this.variables, this.missing);
    const base = this.target.urls[request.service ?? 'ironic'];
    if (base === undefined) return this.result(step, 'skipped', []);
    const [answer, late] = await perform(base, request, step, known ? KNOWN_POLL_TIMEOUT_S : Infinity);
    remember(step, answer, this.variables);
    if (known) for (const name of Object.keys(step.save ?? {})) if (!this.variables.has(name)) this.missing.add(name);
    if (step.expect === undefined && step.corrected === undefined) return this.result(step, 'skipped', []);
    const normalised = new Normaliser(this.target, this.variables).answer(answer, step);
    const found = [...late, ...stepDifferences(step, normalised), ...undescribed(this.target, request, answer)];
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
 * step fails, or a request gets no answer, those that follow count as failed. A set-up step that is `known` to fail
 * stops nothing, so that what does not need it is still asked.
 */
export const runScenario = async (
  target: Target,
  scenario: Scenario,
  known: Known = () => false,
): Promise<StepResult[]> => {
  const run = new Run(target, scenario, known);
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
      if (setupFailed(result) && !known(`${scenario.name}/${step.id}`))
        stopped = `not run: set-up failed at ${step.id}`;
    } catch (error) {
      results.push(run.lost(step, String(error)));
      stopped = `not run: stopped at ${step.id}`;
    }
  }
  return results;
};
