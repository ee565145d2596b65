/** Files of the inspection that operators write in YAML or JSON, which is a part of it. */
import { readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import { acceleratorsIn, builtInRules, type Accelerator, type InspectionRule } from '@lib/domain';

const FILE_BYTES_MAX = 1024 * 1024;

/** Rejected with one sentence that names the option and the file. */
function contentOf(option: string, path: string): unknown {
  try {
    if (statSync(path).size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
    // No aliases: a short file could unfold into gigabytes.
    return parse(readFileSync(path, 'utf8'), { maxAliasCount: 0 }) as unknown;
  } catch (error) {
    throw new Error(`${option}: ${path} can not be read: ${(error as Error).message}`, { cause: error });
  }
}

/** `[inspection_rules] built_in_rules`: the rules of the file, none when it is unset. Throws a sentence. */
export function loadBuiltInRules(path: string | null): readonly InspectionRule[] {
  if (path === null) return [];
  const option = '[inspection_rules] built_in_rules';
  const rules = builtInRules(contentOf(option, path));
  if (typeof rules === 'string') throw new Error(`${option}: ${path}: ${rules}`);
  return rules;
}

/** `[inspector] known_accelerators`: the devices of the file, undefined when it is unset. Throws a sentence. */
export function loadAccelerators(path: string | null): readonly Accelerator[] | undefined {
  if (path === null) return undefined;
  const option = '[inspector] known_accelerators';
  const devices = acceleratorsIn(contentOf(option, path));
  if (typeof devices === 'string') throw new Error(`${option}: ${path}: ${devices}`);
  return devices;
}
