/** Sections of the configuration file, with the field's own option names. */
export type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Later settings win, option by option. */
export const mergeSettings = (...all: readonly Settings[]): Settings => {
  const merged: Record<string, Record<string, string>> = {};
  for (const settings of all) {
    for (const [section, options] of Object.entries(settings)) {
      merged[section] = { ...merged[section], ...options };
    }
  }
  return merged;
};

/** The INI text of some settings. */
export const toIni = (settings: Settings): string =>
  Object.entries(settings)
    .map(([section, options]) => {
      const lines = Object.entries(options).map(([option, value]) => `${option} = ${value}`);
      return [`[${section}]`, ...lines, ''].join('\n');
    })
    .join('\n');
