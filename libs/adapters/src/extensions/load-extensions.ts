import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { extendTypes, hardwareTypes } from '@lib/domain';
import type { HardwareAdditions, HardwareTypes } from '@lib/domain';
import { EXTENSION_API_VERSION } from '@lib/ports';
import type { Contribution, Extension, ExtensionHost } from '@lib/ports';
import { within } from '../bounded-call';
import { SettingsError } from '../settings-file';
import { additionsOf, contributionProblems } from './contribution';
import { InterfacesByName } from './interfaces-by-name';

export interface LoadedExtensions {
  /** Those that ship and those of extensions. */
  readonly types: HardwareTypes;
  readonly interfaces: InterfacesByName;
  /** Where the code of each lies, to know its errors by. */
  readonly folders: readonly string[];
  stop(): Promise<void>;
}

/** An extension may connect to something while it opens, but not keep the conductor from starting for ever. */
const OPEN_MS_MAX = 30_000;

export const noExtensions: LoadedExtensions = {
  types: hardwareTypes,
  interfaces: new InterfacesByName(),
  folders: [],
  stop: () => Promise.resolve(),
};

/**
 * Loads the packages that `[DEFAULT] extensions` names, in their order: names of packages, looked for from the working folder
 * and then beside this program, or paths. Rejects with SettingsError and everything that is wrong with them.
 */
export async function loadExtensions(
  names: readonly string[],
  host: ExtensionHost,
  from: string,
): Promise<LoadedExtensions> {
  if (names.length === 0) return noExtensions;
  const problems: string[] = [];
  const opened: Contribution[] = [];
  const folders: string[] = [];
  const interfaces = new InterfacesByName();
  let types: HardwareTypes = hardwareTypes;
  for (const name of names) {
    const tell = (problem: string): void => void problems.push(`[DEFAULT] extensions: "${name}" ${problem}`);
    try {
      const { file, module } = loaded(name, from);
      const contribution = await contributionOf(module, host);
      opened.push(contribution);
      folders.push(packageFolder(file));
      const wrong = contributionProblems(contribution);
      const additions: HardwareAdditions | null = wrong.length === 0 ? additionsOf(contribution) : null;
      const extended = additions && extendTypes(types, additions);
      for (const problem of [...wrong, ...(extended?.problems ?? [])]) tell(`can not be used: ${problem}`);
      if (!extended || extended.problems.length > 0) continue;
      types = extended.types;
      interfaces.add(contribution.interfaces ?? {}, host.clock);
    } catch (error) {
      tell(error instanceof Unusable ? error.message : `failed to load: ${textOf(error)}`);
    }
  }
  const stop = async (): Promise<void> => {
    for (const one of opened) {
      const stopped = Promise.resolve().then(() => one.stop?.());
      await within(stopped, OPEN_MS_MAX, host.clock).catch((error: unknown) =>
        host.logger.warn({ reason: textOf(error) }, 'an extension failed at its stop'),
      );
    }
  };
  if (problems.length === 0) return { types, interfaces, folders, stop };
  await stop();
  throw new SettingsError(problems);
}

/** Told as a sentence that goes on after the name. */
class Unusable extends Error {}

const textOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

function loaded(name: string, from: string): { file: string; module: unknown } {
  const isPath = name.startsWith('.') || isAbsolute(name);
  const wanted = isPath ? resolve(from, name) : name;
  for (const place of isPath ? [from] : [from, __dirname]) {
    const load = createRequire(join(place, 'extensions.js'));
    let file: string;
    try {
      file = load.resolve(wanted);
    } catch {
      continue;
    }
    return { file, module: load(file) };
  }
  throw new Unusable(
    isPath ? `is not there: ${wanted}` : `is not installed, neither in ${from} nor beside this program`,
  );
}

async function contributionOf(module: unknown, host: ExtensionHost): Promise<Contribution> {
  const given = withDefault(module) as Partial<Extension> | null | undefined;
  if (typeof given !== 'object' || given === null || typeof given.open !== 'function') {
    throw new Unusable('exports no extension: an object with apiVersion and open is expected');
  }
  if (given.apiVersion !== EXTENSION_API_VERSION) {
    const made = String(given.apiVersion);
    throw new Unusable(
      `was made for version ${made} of the extension interface; this release has ${EXTENSION_API_VERSION}`,
    );
  }
  const open = Promise.resolve().then(() => given.open?.(host));
  const told = await within(
    open.then((contribution) => ({ contribution })),
    OPEN_MS_MAX,
    host.clock,
  );
  if (!told) throw new Unusable(`did not open within ${OPEN_MS_MAX / 1000} seconds`);
  const { contribution } = told;
  if (typeof contribution !== 'object' || contribution === null) throw new Unusable('opened without a contribution');
  return contribution;
}

/** A module that was compiled from, or is, ECMAScript has it as its default export. */
const withDefault = (module: unknown): unknown =>
  typeof module === 'object' && module !== null && 'default' in module && !('open' in module) ? module.default : module;

function packageFolder(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return dirname(file);
}
