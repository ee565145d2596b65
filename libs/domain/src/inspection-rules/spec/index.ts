import { fieldDefaults, interfaceField, interfaceTypes } from '../../node/fields';
import type { NodeFields } from '../../node/fields';
import { newPortDocument } from '../../port';
import { carryOut, ruleOf } from '..';
import type { InspectionRule, MaskSecrets, RuleGround, RuleItem, RuleSettings } from '..';

/** A machine for specs of rules, and rules over it. */
const interfaces = Object.fromEntries(interfaceTypes.map((type) => [interfaceField(type), 'fake']));
export const fields = {
  ...fieldDefaults,
  ...interfaces,
  driver: 'fake-hardware',
  name: 'rack-1',
  driver_info: { address: '192.0.2.1', redfish_password: { sealed: 'k', iv: 'i', tag: 't', data: 'd' } },
  properties: { cpus: 4, capabilities: 'boot_mode:uefi,cpu_vt:true' },
  extra: { list: ['a'], deep: { er: 1 } },
} as unknown as NodeFields;
export const MAC = '52:54:00:00:00:0a';
export const PORT = newPortDocument({ address: MAC }, 'n', 'bbbbbbbb-0000-4000-8000-000000000001');

export const ground: RuleGround = {
  fields,
  facts: { uuid: 'n', provision_state: 'inspecting' },
  traits: ['CUSTOM_A'],
  ports: [PORT],
  inventory: {
    cpu: { count: 4, architecture: 'x86_64', flags: ['vmx', 'aes'] },
    bmc_address: '192.0.2.7',
    bmc_v6address: null,
    hostname: '',
    interfaces: [
      { name: 'eth0', mac_address: MAC, speed_mbps: 1000 },
      { name: 'eth1', mac_address: '52:54:00:00:00:0b', speed_mbps: 25000 },
    ],
    boot: { password: 'hunter2' },
  },
  pluginData: { root_disk: { size: 10 }, bmc_password: 'hunter2', tags: ['one'] },
};

export const item = (op: string, args: RuleItem['args'], rest: object = {}): RuleItem => ({ op, args, ...rest });
export const rule = (
  conditions: readonly RuleItem[],
  actions: readonly RuleItem[],
  rest: object = {},
): InspectionRule => ruleOf({ uuid: 'r', conditions, actions, ...rest });
const settings = (maskSecrets: MaskSecrets = 'always'): RuleSettings => ({ maskSecrets, problemOf: () => null });
export const run = (rules: readonly InspectionRule[], mask: MaskSecrets = 'always', on = ground) =>
  carryOut(rules, on, settings(mask));
export const does = (...actions: RuleItem[]) => run([rule([], actions)]);
export const mark = item('set-plugin-data', { path: 'mark', value: 'yes' });
