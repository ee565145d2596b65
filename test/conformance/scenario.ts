import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface ScenarioRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** Text sent as it is, instead of `body`. */
  readonly raw?: string;
  readonly service?: 'ironic' | 'inspector';
}

/** A recorded or corrected answer: no `body` and no `text` means an empty one. */
export interface Expected {
  readonly status?: number;
  readonly headers?: Json;
  readonly body?: Json;
  readonly text?: Json;
}

export interface Corrected extends Expected {
  /** Compare only the keys given. */
  readonly partial?: boolean;
  readonly because: string;
}

export interface Poll {
  /** Dotted path in the body -> value wanted; `$status` is the status code. */
  readonly until: Readonly<Record<string, Json>>;
  /** Seconds; default 30. */
  readonly timeout?: number;
  /** Seconds; default 0.15. */
  readonly interval?: number;
}

export interface Step {
  readonly id: string;
  readonly request: ScenarioRequest;
  /** Variable name -> dotted path in the answer, or `header.<name>`. */
  readonly save?: Readonly<Record<string, string>>;
  /** Seconds before the request. */
  readonly sleep?: number;
  readonly poll?: Poll;
  readonly compare?: 'status';
  readonly ignore?: readonly string[];
  readonly unordered?: readonly string[];
  readonly only_known?: string;
  readonly expect?: Expected;
  readonly corrected?: Corrected;
}

export interface Scenario {
  readonly name: string;
  readonly family: string;
  readonly why: string;
  readonly profile?: string;
  readonly reset?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export const SCENARIOS = join(__dirname, 'scenarios');

export const loadScenario = (file: string): Scenario => JSON.parse(readFileSync(file, 'utf8')) as Scenario;

/** Every scenario of a folder, by file name. */
export const loadScenarios = (folder: string = SCENARIOS): Scenario[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => loadScenario(join(folder, name)));
