/** Every option can be set by an environment variable, `FERROLOG_<SECTION>__<OPTION>` in upper case; it wins over the file. */
import { type RawValue, declaredOptions } from '@lib/contracts/settings';

/** The process environment, or a piece of one in tests. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const variableOf = (section: string, name: string): string =>
  `FERROLOG_${section.toUpperCase()}__${name.toUpperCase()}`;

export interface Overrides {
  readonly values: readonly RawValue[];
  readonly warnings: readonly string[];
}

/** Short names for settings that everyone sets; they win over everything else. */
const shortcuts: readonly { readonly variable: string; readonly section: string; readonly name: string }[] = [
  { variable: 'FERROLOG_API_PORT', section: 'api', name: 'port' },
];

export function readOverrides(env: Environment): Overrides {
  const known = new Map<string, { section: string; name: string }>();
  for (const { section, name, option } of declaredOptions()) {
    for (const each of [name, ...(option.oldNames ?? [])])
      known.set(variableOf(section, each), { section, name: each });
  }
  const values: RawValue[] = [];
  const warnings: string[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || !/^FERROLOG_.*__/.test(variable)) continue;
    const place = known.get(variable);
    if (place) values.push({ ...place, text: text.trim(), source: variable });
    else warnings.push(`${variable} is no option that this release reads; it is ignored`);
  }
  for (const { variable, section, name } of shortcuts) {
    const text = env[variable]?.trim();
    if (text) values.push({ section, name, text, source: variable });
  }
  return { values, warnings };
}
