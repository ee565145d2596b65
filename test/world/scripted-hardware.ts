import { finalPowerStateOf, inspectFacts } from '@lib/domain';
import type { InspectInterfaceFacts } from '@lib/domain';
import type {
  Clock,
  HardwareRegistry,
  InspectInterface,
  InspectResult,
  IntrospectionReport,
  ManagementInterface,
  PowerInterface,
} from '@lib/ports';
import type { Script } from './script';

/** An interface as releases before the rename had it: it still returns INSPECTING. */
const legacy: InspectInterfaceFacts = { ...inspectFacts('legacy'), name: 'legacy' };

const started = (name: string): InspectResult =>
  name === 'fake'
    ? { returned: 'MANAGEABLE' }
    : name === 'legacy'
      ? { returned: 'INSPECTING' }
      : { returned: 'INSPECTWAIT', manageBoot: name !== 'inspector' };

function inspectInterface(name: string, script: Script, clock: Clock): InspectInterface {
  const asked = (word: 'inspect' | 'start' | 'abort' | 'report' | 'validate', node: string) => ({
    word,
    node,
    interface: name,
    at: clock.now(),
  });
  const facts = name === 'legacy' ? legacy : inspectFacts(name);
  return {
    facts,
    validate: ({ uuid }) => script.say<string | null>(asked('validate', uuid), null),
    inspect: (machine, call) => script.run({ ...asked('inspect', machine.uuid), machine }, call, () => started(name)),
    ...(facts.startsIntrospection
      ? {
          startIntrospection: (machine, { manageBoot }, call) =>
            script.run({ ...asked('start', machine.uuid), machine, wanted: manageBoot }, call, () => undefined),
        }
      : {}),
    ...(facts.abort
      ? { abort: (machine, call) => script.run(asked('abort', machine.uuid), call, () => undefined) }
      : {}),
    report: (uuid, call) => script.run<IntrospectionReport>(asked('report', uuid), call, () => ({ state: 'running' })),
  };
}

function powerInterface(name: string, script: Script, clock: Clock): PowerInterface {
  const asked = (word: 'power' | 'read power', node: string) => ({ word, node, interface: name, at: clock.now() });
  return {
    validate: () => null,
    read: ({ uuid, powerState }, call) => script.run(asked('read power', uuid), call, () => powerState),
    change: (machine, target, _timeoutSeconds, call) =>
      script.run({ ...asked('power', machine.uuid), wanted: target, machine }, call, () => ({
        powerState: finalPowerStateOf(target),
        changed: true,
      })),
  };
}

function managementInterface(name: string, script: Script, clock: Clock): ManagementInterface {
  return {
    validate: () => null,
    bootDevices: () => ['pxe', 'disk'],
    readBootDevice: ({ bootDevice }) => ({ boot_device: bootDevice?.device ?? null, persistent: false }),
    checkBootDevice: (_machine, device) => (device === 'pxe' || device === 'disk' ? null : `no device ${device}`),
    setBootDevice: (machine, device, _persistent, call) => {
      const asked = {
        word: 'boot device',
        node: machine.uuid,
        interface: name,
        at: clock.now(),
        wanted: device,
      } as const;
      return script.run(asked, call, () => undefined);
    },
  };
}

/** Hardware that does what a script says; without one, what is asked, at once. */
export const scriptedHardware = (script: Script, clock: Clock): HardwareRegistry => ({
  inspect: (name) => inspectInterface(name, script, clock),
  power: (name) => powerInterface(name, script, clock),
  management: (name) => managementInterface(name, script, clock),
  validateAll: (_machine, interfaces) =>
    Object.fromEntries(Object.keys(interfaces).map((kind) => [kind, { result: true }])),
});
