import { readSettings } from '@lib/contracts/settings';
import type { RawValue, Settings } from '@lib/contracts/settings';

/** Section -> option -> value, as in the settings file. */
export type Values = Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;

/** What a whole runs on where a spec says nothing else: every interface that the scripted hardware plays. */
const usual: Values = {
  DEFAULT: {
    enabled_hardware_types: 'fake-hardware,manual-management',
    enabled_inspect_interfaces: 'agent,inspector,fake,no-inspect',
  },
  api: { port: 0, host_ip: '127.0.0.1' },
};

export function settingsOf(values: Values, host: string): Settings {
  const sections = new Set([...Object.keys(usual), ...Object.keys(values)]);
  const raw = [...sections].flatMap((section): RawValue[] =>
    Object.entries({ ...usual[section], ...values[section] }).map(([name, value]) => ({
      section,
      name,
      text: String(value),
      source: 'spec',
    })),
  );
  const read = readSettings([...raw, { section: 'DEFAULT', name: 'host', text: host, source: 'spec' }], {
    hostname: host,
  });
  return read.settings;
}
