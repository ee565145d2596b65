import { hardwareTypes, extendTypes } from '@lib/domain';
import { crossWarnings, hardwareProblems, readSettings } from '.';

const machine = { hostname: 'rack-4' };
const read = (options: Readonly<Record<string, string>>) =>
  readSettings(
    Object.entries(options).map(([name, text]) => ({ section: 'DEFAULT', name, text, source: 'a file' })),
    machine,
  );
const enabled = {
  enabled_hardware_types: 'rack, redfish',
  enabled_inspect_interfaces: 'rack,agent',
  default_inspect_interface: 'rack',
};

describe('[DEFAULT] extensions', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['rack', ['rack']],
    [' @site/rack , ./racks/one,/opt/rack, rack,rack', ['@site/rack', './racks/one', '/opt/rack', 'rack']],
  ])('%j names packages and paths', (text, names) => {
    expect(read({ extensions: text })).toMatchObject({ problems: [], settings: { DEFAULT: { extensions: names } } });
  });

  it.each(['a b', '@/x', '@site', '-rack', '$rack', './a b'])('refuses %j', (text) => {
    expect(read({ extensions: text }).problems).toEqual([expect.stringContaining('[DEFAULT] extensions:')]);
  });

  it('lets other names be enabled, which only who loads them can judge', () => {
    const { settings, problems, warnings } = read({ ...enabled, extensions: 'rack' });
    expect([problems, warnings]).toEqual([[], []]);
    expect(settings.DEFAULT.enabled_hardware_types).toEqual(['rack', 'redfish']);
    expect(hardwareProblems(settings, hardwareTypes)).toEqual([
      '[DEFAULT] enabled_hardware_types: "rack" is no hardware type that this release or its extensions know',
      '[DEFAULT] enabled_inspect_interfaces: "rack" is no inspect interface that this release or its extensions know',
    ]);
    const { types } = extendTypes(hardwareTypes, {
      types: [{ name: 'rack', supports: { power: ['rack'], inspect: ['rack'] } }],
      interfaces: { power: ['rack'], inspect: ['rack'] },
      supportedBy: {},
    });
    expect(hardwareProblems(settings, types)).toEqual([]);
    expect(crossWarnings(settings, types)).toEqual([
      '[DEFAULT] enabled_power_interfaces: none of them fits the hardware type rack (it supports rack)',
    ]);
  });

  it('unset, leaves the names that this release knows', () => {
    for (const extensions of [undefined, '', '  ']) {
      const { problems } = read({ ...enabled, ...(extensions === undefined ? {} : { extensions }) });
      expect(problems).toHaveLength(3);
      expect(problems[0]).toContain('"rack" is no hardware type that this release knows');
    }
  });

  it('does not make a name of what is none', () => {
    const { problems } = read({ extensions: 'rack', enabled_inspect_interfaces: 'agent, my rack' });
    expect(problems).toEqual([expect.stringContaining('"my rack" is no inspect interface')]);
  });

  it('are themselves judged by the domain: nothing that ships is unknown to it', () => {
    expect(hardwareProblems(read({}).settings, hardwareTypes)).toEqual([]);
  });
});
