import { readSettings } from '@lib/contracts';
import { hardwareTypes, inspectFacts } from '@lib/domain';
import type { HardwareRegistry } from '@lib/ports';
import { discoveredNodesProblem } from './discovered-nodes';

const hardware = { inspect: (name: string) => ({ facts: inspectFacts(name) }) } as Pick<HardwareRegistry, 'inspect'>;

function problemOf(options: Readonly<Record<string, string>>): string | null {
  const values = Object.entries(options).map(([name, text]) => {
    const [section = '', option = ''] = name.split('.');
    return { section, name: option, text, source: 'spec' };
  });
  return discoveredNodesProblem(readSettings(values, { hostname: 'here' }).settings, hardwareTypes, hardware);
}

const on = {
  'auto_discovery.enabled': 'true',
  'auto_discovery.driver': 'fake-hardware',
  'DEFAULT.enabled_inspect_interfaces': 'fake, agent, no-inspect',
};

describe('nodes that machines are made of', () => {
  it('need an inspect interface that takes the data', () => {
    expect(problemOf(on)).toMatch(/would have the inspect interface "fake".*default_inspect_interface/);
    expect(problemOf({ ...on, 'DEFAULT.default_inspect_interface': 'agent' })).toBeNull();
  });

  it('are no matter where none are made', () => {
    expect(problemOf({ ...on, 'auto_discovery.enabled': 'false' })).toBeNull();
  });
});
