import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DeclaredOption,
  type RawValue,
  declaredOptions,
  interfaceTypes,
  knownInterfaces,
  readSettings,
} from './index';

const machine = { hostname: 'rack-4.example' };
const read = (...lines: string[]) => readSettings(lines.map(written), machine);

/** `section name=value`, as if it stood in a file. */
function written(line: string): RawValue {
  const [, section = '', name = '', text = ''] = /^(\S*) (\S*?)=(.*)$/s.exec(line) ?? [];
  return { section, name, text, source: 'line 1' };
}

describe('defaults', () => {
  const { settings, warnings, problems } = read();

  it('need nothing written', () => {
    expect(problems).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('are the shipped ones [1.23]', () => {
    expect(settings.DEFAULT.host).toBe('rack-4.example');
    expect(settings.DEFAULT.enabled_hardware_types).toEqual(['fake-hardware', 'manual-management', 'redfish']);
    expect([...settings.DEFAULT.enabled_inspect_interfaces].sort()).toEqual([
      'agent',
      'fake',
      'inspector',
      'no-inspect',
      'redfish',
    ]);
    expect(settings.DEFAULT.auth_strategy).toBe('noauth');
    expect(settings.conductor.inspect_wait_timeout).toBe(1800);
    expect(settings.inspector.require_managed_boot).toBeNull();
    expect(settings.healthcheck.enabled).toBe(true);
    expect(settings.fake.inspect_delay).toEqual({ baseS: 0, maxS: 0 });
  });

  it.each(
    declaredOptions().map((declared): [string, DeclaredOption] => [`[${declared.section}] ${declared.name}`, declared]),
  )('%s: its default would be accepted if someone wrote it', (_title, { option }) => {
    if (option.defaultText === null || option.defaultText === 'host name of the machine') return;
    expect(option.parse(option.defaultText)).toEqual({ ok: true, value: option.defaultValue(machine) });
  });
});

describe('against Ironic', () => {
  // Names and defaults of the contract's config.md; one section was dropped upstream option by option.
  const facts = JSON.parse(
    readFileSync(join(__dirname, '../../../../test/contract-data/ironic-options.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  // Options of the field that the contract's list leaves out.
  const besides: Readonly<Record<string, string>> = {
    '[pxe] tftp_root': '/tftpboot',
    '[conductor] deploy_kernel': '(unset)',
    '[conductor] deploy_ramdisk': '(unset)',
    '[cors] allowed_origin': '(unset)',
    '[redfish] connection_attempts': '5',
    '[redfish] connection_retry_interval': '4',
    '[redfish] connection_cache_size': '1000',
    '[redfish] auth_type': 'auto',
    '[redfish] verify_ca': 'true',
    '[redfish] inspection_hooks': 'validate-interfaces,ports,architecture',
    '[metrics] agent_backend': 'noop',
    '[metrics] agent_prepend_host': 'false',
    '[metrics] agent_prepend_uuid': 'false',
    '[metrics] agent_prepend_host_reverse': 'true',
    '[metrics] agent_global_prefix': '(unset)',
    '[metrics_statsd] agent_statsd_host': 'localhost',
    '[metrics_statsd] agent_statsd_port': '8125',
    '[agent_containers] allow_arbitrary_containers': 'false',
    '[agent_containers] allowed_containers': '(empty)',
    '[agent_containers] container_steps_file': '/etc/ironic-python-agent.d/mysteps.yaml',
    '[agent_containers] runner': 'podman',
    '[agent_containers] pull_options': '(empty)',
    '[agent_containers] run_options': '--rm,--network=host',
  };
  const same = (value: string | null): string => {
    if (value === null || value === '(unset)') return 'unset';
    return value === '(empty)' ? '' : value.split(',').sort().join(',').toLowerCase();
  };

  it.each(
    declaredOptions().map((declared): [string, DeclaredOption] => [`[${declared.section}] ${declared.name}`, declared]),
  )('%s: same default, or the difference is declared with its reason', (_title, { section, name, option }) => {
    const ironic = facts[section]?.[name] ?? besides[`[${section}] ${name}`];
    const { difference } = option;
    if (difference) {
      expect(difference.why.length).toBeGreaterThan(20);
      const claimed = difference.ironic === 'computed from the enabled hardware types' ? '(unset)' : difference.ironic;
      if (ironic !== undefined) expect(same(claimed)).toBe(same(ironic));
      else expect(difference.ironic).toBeNull();
      if (ironic !== undefined) expect(same(option.defaultText)).not.toBe(same(ironic));
    } else if (ironic !== undefined) {
      expect(same(option.defaultText)).toBe(same(ironic));
    } else {
      // Only the interface defaults are too many for the contract's list.
      expect(name).toMatch(/^default_\w+_interface$/);
    }
  });
});

describe('what is written', () => {
  it('wins over the default, the last one wins', () => {
    const { settings } = read('conductor inspect_wait_timeout=4', 'conductor inspect_wait_timeout=5');
    expect(settings.conductor.inspect_wait_timeout).toBe(5);
  });

  it('may use a former name, with a warning; the current name wins wherever it stands [1.29]', () => {
    const old = read('conductor inspect_timeout=7');
    expect(old.settings.conductor.inspect_wait_timeout).toBe(7);
    expect(old.warnings).toEqual(['[conductor] inspect_timeout is deprecated (line 1); write inspect_wait_timeout']);
    const both = read('conductor inspect_wait_timeout=8', 'conductor inspect_timeout=7');
    expect(both.settings.conductor.inspect_wait_timeout).toBe(8);
    expect(read('conductor inspect_timeout=7', 'conductor inspect_wait_timeout=8').settings).toEqual(both.settings);
  });

  it('is warned about when nobody reads it', () => {
    const { warnings, problems } = read('conductor inspect_wait_timout=4', 'swift auth=x', 'constructor name=x');
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      '[conductor] inspect_wait_timout is no option that this release reads (line 1); it is ignored',
      '[swift] is no section that this release reads (line 1); [swift] auth is ignored',
      '[constructor] is no section that this release reads (line 1); [constructor] name is ignored',
    ]);
  });

  it('is refused with a sentence where the option is known and the value is not served yet', () => {
    const { problems } = read('inventory data_backend=swift');
    expect(problems).toEqual([expect.stringMatching(/^\[inventory\] data_backend: swift is not served/)]);
    expect(read('conductor on_restart=fail', 'inventory data_backend=none').problems).toEqual([]);
  });

  it('is refused by its name, every one of them', () => {
    const { problems } = read(
      'conductor inspect_wait_timeout=soon',
      'conductor inspect_timeout=soon',
      'api port=65536',
      'DEFAULT auth_strategy=keystone',
      'DEFAULT enabled_inspect_interfaces=fake,psychic',
    );
    expect(problems).toEqual([
      '[DEFAULT] auth_strategy: keystone is not served by this release; set noauth, and let only trusted clients reach the API (line 1)',
      expect.stringContaining('[DEFAULT] enabled_inspect_interfaces: "psychic" is no inspect interface'),
      '[api] port: 65536 is more than 65535 (line 1)',
      '[conductor] inspect_wait_timeout: "soon" is not a whole number (line 1)',
    ]);
  });

  it.each(interfaceTypes.filter((type) => knownInterfaces(type).length > 1))(
    'default_%s_interface must be enabled',
    (type) => {
      const [first = '', second = ''] = knownInterfaces(type);
      const onlyFirst = `DEFAULT enabled_${type}_interfaces=${first}`;
      expect(read(onlyFirst, `DEFAULT default_${type}_interface=${first}`).problems).toEqual([]);
      expect(read(onlyFirst, `DEFAULT default_${type}_interface=${second}`).problems).toEqual([
        `[DEFAULT] default_${type}_interface: "${second}" is not among enabled_${type}_interfaces (${first})`,
      ]);
    },
  );

  it('is warned about when it leaves an enabled hardware type without an interface', () => {
    const { warnings, problems } = read(
      'DEFAULT enabled_power_interfaces=fake',
      'DEFAULT enabled_inspect_interfaces=fake',
    );
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      '[DEFAULT] enabled_inspect_interfaces: none of them fits the hardware type manual-management (it supports inspector, agent, no-inspect)',
      '[DEFAULT] enabled_inspect_interfaces: none of them fits the hardware type redfish (it supports redfish, inspector, agent, no-inspect)',
      '[DEFAULT] enabled_power_interfaces: none of them fits the hardware type redfish (it supports redfish)',
    ]);
  });

  it.each([
    [['auth_type=http_basic', 'username=u', 'password=p'], 'of no use without endpoint_override'],
    [['auth_type=http_basic', 'endpoint_override=http://i', 'username=u'], 'needs username and password'],
    [['auth_type=admin_token', 'endpoint_override=http://i'], 'admin_token needs it'],
    [['auth_type=password', 'endpoint_override=http://i'], 'identities of keystone are not served'],
    [['endpoint_override=inspector.example'], 'is not an http or https address'],
  ])('names an inspector and shows who asks it: %j', (lines, problem) => {
    const { problems } = read(...lines.map((line) => `inspector ${line}`));
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    [['auth_strategy=http_basic', 'username=u'], '[simulator] http_basic needs username and password'],
    [['auth_strategy=keystone'], '[simulator] keystone needs auth_url'],
    [['username=a:b'], 'a user name with a colon'],
  ])('says whom the simulator serves: %j', (lines, problem) => {
    const { problems } = read(...lines.map((line) => `simulator ${line}`));
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it('repeats no secret that it refuses', () => {
    const { problems } = read(`inspector password=se\u00e9cret`);
    expect(problems).toEqual([expect.stringContaining('[inspector] password')]);
    expect(problems.join()).not.toContain('cret');
  });

  it('must let a conductor speak before it counts as silent', () => {
    expect(read('conductor heartbeat_interval=60').problems).toEqual([
      expect.stringContaining('[conductor] heartbeat_timeout: 60 is not more than heartbeat_interval (60)'),
    ]);
  });
});
