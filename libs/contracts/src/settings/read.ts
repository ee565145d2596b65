import { type DeclaredOption, type Settings, declaredOptions, sections } from './declaration';
import { crossProblems, crossWarnings } from './cross-checks';
import type { Machine } from './option';

/** One value as someone wrote it, and where: "line 12 of ferrolog.conf", "FERROLOG_API_PORT". */
export interface RawValue {
  readonly section: string;
  readonly name: string;
  readonly text: string;
  readonly source: string;
}

export interface ReadSettings {
  readonly settings: Settings;
  /** Sentences for the log: unknown and deprecated names, hardware types left without interfaces. They do not stop the start. */
  readonly warnings: readonly string[];
  /** Sentences that stop the start, each naming its `[section] option`. With any, `settings` holds defaults in those places. */
  readonly problems: readonly string[];
}

interface Named extends DeclaredOption {
  readonly old: boolean;
}

function byAnyName(): ReadonlyMap<string, Named> {
  const named = new Map<string, Named>();
  for (const declared of declaredOptions()) {
    const keys = [declared.name, ...(declared.option.oldNames ?? [])];
    for (const key of keys) named.set(`${declared.section} ${key}`, { ...declared, old: key !== declared.name });
  }
  return named;
}

function unknownWarning({ section, name, source }: RawValue): string {
  return Object.hasOwn(sections, section)
    ? `[${section}] ${name} is no option that this release reads (${source}); it is ignored`
    : `[${section}] is no section that this release reads (${source}); [${section}] ${name} is ignored`;
}

/**
 * Turns texts into typed settings. Later values win over earlier ones, but an option's current name always wins over
 * a former one, wherever it stands.
 */
export function readSettings(values: readonly RawValue[], machine: Machine): ReadSettings {
  const named = byAnyName();
  const chosen = new Map<string, RawValue & { readonly old: boolean }>();
  const warnings: string[] = [];
  for (const value of values) {
    const found = named.get(`${value.section} ${value.name}`);
    if (!found) {
      warnings.push(unknownWarning(value));
      continue;
    }
    const place = `${found.section} ${found.name}`;
    if (found.old)
      warnings.push(`[${value.section}] ${value.name} is deprecated (${value.source}); write ${found.name}`);
    if (found.old && chosen.get(place)?.old === false) continue;
    chosen.set(place, { ...value, old: found.old });
  }
  const { settings, problems } = parseChosen(chosen, machine);
  return { settings, problems, warnings: [...warnings, ...crossWarnings(settings)] };
}

function parseChosen(
  chosen: ReadonlyMap<string, RawValue>,
  machine: Machine,
): { readonly settings: Settings; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const result: Record<string, Record<string, unknown>> = {};
  const hasExtensions = (chosen.get('DEFAULT extensions')?.text.trim() ?? '') !== '';
  for (const { section, name, option } of declaredOptions()) {
    const raw = chosen.get(`${section} ${name}`);
    const outcome = raw && option.parse(raw.text, hasExtensions);
    if (outcome && !outcome.ok) problems.push(`[${section}] ${name}: ${outcome.problem} (${raw.source})`);
    (result[section] ??= {})[name] = outcome?.ok ? outcome.value : option.defaultValue(machine);
  }
  // The loop above has put a value of the declared type at every declared place.
  const settings = result as unknown as Settings;
  return { settings, problems: [...problems, ...(problems.length === 0 ? crossProblems(settings) : [])] };
}
