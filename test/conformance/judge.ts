import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Difference } from './compare';
import type { Scenario } from './scenario';
import type { StepResult } from './run-scenario';

/** `scenario/step` or `scenario/*` -> why it is not answered yet. */
export type Left = Readonly<Record<string, string>>;

export interface LeftStep {
  readonly name: string;
  readonly reason: string;
}

export interface Verdict {
  /** Answered as recorded. */
  readonly passed: number;
  /** Answered as corrected. */
  readonly corrected: number;
  /** Differ, and the table says why. */
  readonly left: readonly LeftStep[];
  /** Differ, and nothing excuses it. */
  readonly failed: readonly StepResult[];
  /** Entries of the table that excuse nothing any more, or name nothing: to be removed from it. */
  readonly stale: readonly string[];
  /** Not judged: their service was not given. */
  readonly skipped: number;
}

export const LEFT_FILE = join(__dirname, 'left.json');
export const loadLeft = (file: string = LEFT_FILE): Left => JSON.parse(readFileSync(file, 'utf8')) as Left;

const nameOf = ({ scenario, step }: StepResult): string => `${scenario}/${step}`;
const all = (scenario: string): string => `${scenario}/*`;

/** Holds results against the table of what is left. A wildcard excuses a scenario as long as one step of it differs. */
export const judge = (results: readonly StepResult[], left: Left): Verdict => {
  const count = (corrected: boolean): number =>
    results.filter((row) => row.result === 'passed' && row.corrected === corrected).length;
  const differing = results.filter(({ result }) => result === 'failed');
  const reasonOf = (row: StepResult): string | undefined => left[nameOf(row)] ?? left[all(row.scenario)];
  const ran = new Set(results.map(({ scenario }) => scenario));
  const used = new Set(differing.flatMap((row) => [nameOf(row), all(row.scenario)]));
  const unjudged = new Set(results.filter(({ result }) => result === 'skipped').map(nameOf));
  return {
    passed: count(false),
    corrected: count(true),
    left: differing.flatMap((row) => {
      const reason = reasonOf(row);
      return reason === undefined ? [] : [{ name: nameOf(row), reason }];
    }),
    failed: differing.filter((row) => reasonOf(row) === undefined),
    stale: Object.keys(left).filter(
      (name) => ran.has(name.slice(0, name.indexOf('/'))) && !used.has(name) && !unjudged.has(name),
    ),
    skipped: unjudged.size,
  };
};

/** Entries of the table that no scenario has. */
export const unknownEntries = (left: Left, scenarios: readonly Scenario[]): string[] => {
  const known = new Set(scenarios.flatMap(({ name, steps }) => [all(name), ...steps.map(({ id }) => `${name}/${id}`)]));
  return Object.keys(left).filter((name) => !known.has(name));
};

const DIFFERENCES_SHOWN = 8;
const short = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 300);
const line = ({ path, kind, want, got }: Difference): string =>
  `     [${kind}] ${path}: expected ${short(want)}, got ${short(got)}`;

export const describeFailure = (row: StepResult): string =>
  [
    `FAIL ${nameOf(row)}  ${row.request}`,
    ...row.differences.slice(0, DIFFERENCES_SHOWN).map(line),
    ...(row.differences.length > DIFFERENCES_SHOWN
      ? [`     ... ${row.differences.length - DIFFERENCES_SHOWN} more`]
      : []),
  ].join('\n');

/** What is wrong with a verdict, for people; empty when nothing is. */
export const complaints = ({ failed, stale }: Verdict): string =>
  [
    ...failed.map(describeFailure),
    ...stale.map((name) => `PASS ${name} passes now (or was never asked): remove it from left.json`),
  ].join('\n');

/** One line of numbers and one per step left, with its reason. */
export const summary = (title: string, { passed, corrected, left, failed, stale, skipped }: Verdict): string =>
  [
    `${title}: ${passed} passed, ${corrected} corrected, ${left.length} left` +
      (failed.length + stale.length === 0
        ? ''
        : `, ${failed.length} failed, ${stale.length} to remove from left.json`) +
      (skipped === 0 ? '' : `, ${skipped} skipped`),
    ...left.map(({ name, reason }) => `  left ${name}: ${reason}`),
  ].join('\n');
