import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Machine, type RawValue, type Settings, readSettings } from '@lib/contracts/settings';
import { type Environment, readOverrides } from './environment';
import { readIni } from './ini-text';
import { type Runtime, runtimeOf } from './runtime';

export interface LoadedSettings {
  readonly settings: Settings;
  readonly runtime: Runtime;
  /** Sentences for the log: unknown and deprecated names. */
  readonly warnings: readonly string[];
}

/** The start stops here. The message has one problem per line, each naming its option, variable or line. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

const readText = (path: string): string => readFileSync(path, 'utf8');

/**
 * Reads the file that FERROLOG_CONFIG names, then the environment, which wins.
 * Throws SettingsError with everything that is wrong, so that one look mends it.
 */
export function loadSettings(
  env: Environment,
  readFile: (path: string) => string = readText,
  machine: Machine = { hostname: hostname() },
): LoadedSettings {
  const problems: string[] = [];
  const fromFile = fileValues(env['FERROLOG_CONFIG']?.trim(), readFile, problems);
  const overrides = readOverrides(env);
  const read = readSettings([...fromFile, ...overrides.values], machine);
  problems.push(...read.problems);
  const runtime = runtimeOf(env, read.settings.api.port, problems);
  if (problems.length > 0) throw new SettingsError(problems);
  const warnings = [...fromFile.flatMap(literalDollar), ...read.warnings, ...overrides.warnings];
  return { settings: read.settings, runtime, warnings };
}

function fileValues(
  path: string | undefined,
  readFile: (path: string) => string,
  problems: string[],
): readonly RawValue[] {
  if (!path) return [];
  try {
    const file = readIni(readFile(path), path);
    problems.push(...file.problems);
    return file.values;
  } catch (error) {
    problems.push(`FERROLOG_CONFIG: ${path} cannot be read (${(error as Error).message})`);
    return [];
  }
}

/** Files written for Ironic may refer to other options; nobody should wonder where such a text comes from. */
function literalDollar({ section, name, text, source }: RawValue): string[] {
  return /\$[{\w]/.test(text) ? [`[${section}] ${name} holds a $ (${source}), which is taken as it stands`] : [];
}
