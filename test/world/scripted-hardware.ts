import { finalPowerStateOf, inspectFacts, raidConfigProblem, works } from '@lib/domain';
import type { InspectInterfaceFacts, WorkName } from '@lib/domain';
import type {
  ActingInterface,
  BootInterface,
  Clock,
  HardwareRegistry,
  InspectInterface,
  InspectResult,
  IntrospectionReport,
  LifecycleInterface,
  Machine,
  ManagementInterface,
  PowerInterface,
} from '@lib/ports';
import type { Script } from './script';

/** An interface as releases before the rename had it: it still returns INSPECTING. */
const legacy: InspectInterfaceFacts = { ...inspectFacts('legacy'), name: 'legacy' };

/** An interface of an extension that wants to know how its inspections end. */
const listening: InspectInterfaceFacts = { ...inspectFacts('listening'), abort: true, hearsOfEndings: true };

const factsOf = (name: string): InspectInterfaceFacts =>
  [legacy, listening].find((facts) => facts.name === name) ?? inspectFacts(name);

const started = (name: string, { managedBoot }: Machine): InspectResult =>
  name === 'fake'
    ? { returned: 'MANAGEABLE' }
    : name === 'legacy'
      ? { returned: 'INSPECTING' }
      : { returned: 'INSPECTWAIT', manageBoot: managedBoot !== null };

function inspectInterface(name: string, script: Script, clock: Clock): InspectInterface {
  type Asks = 'inspect' | 'start' | 'forward' | 'abort' | 'report' | 'validate' | 'managed boot' | 'tell ending';
  const asked = (word: Asks, node: string) => ({
    word,
    node,
    interface: name,
    at: clock.now(),
  });
  const facts = factsOf(name);
  return {
    facts,
    validate: ({ uuid }) => script.say<string | null>(asked('validate', uuid), null),
    managesBoot: (machine) => script.say({ ...asked('managed boot', machine.uuid), machine }, false),
    inspect: (machine, call) =>
      script.run({ ...asked('inspect', machine.uuid), machine }, call, () => started(name, machine)),
    ...(facts.startsIntrospection
      ? {
          startIntrospection: (machine, { manageBoot }, call) =>
            script.run({ ...asked('start', machine.uuid), machine, wanted: manageBoot }, call, () => undefined),
          forward: (machine, data, call) =>
            script.run({ ...asked('forward', machine.uuid), machine, wanted: data }, call, () => undefined),
        }
      : {}),
    ...(facts.abort
      ? { abort: (machine, call) => script.run(asked('abort', machine.uuid), call, () => undefined) }
      : {}),
    ...(facts.hearsOfEndings
      ? {
          leftInspectWait: (machine, ending, call) =>
            script.run({ ...asked('tell ending', machine.uuid), machine, wanted: ending }, call, () => undefined),
        }
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

/** Ramdisks are booted from outside unless the spec plays `managed boot` otherwise: true for one that we boot. */
function bootInterface(name: string, script: Script, clock: Clock): BootInterface {
  const asked = (word: 'prepare ramdisk' | 'clean up ramdisk', node: string, wanted: unknown) => ({
    word,
    node,
    interface: name,
    at: clock.now(),
    wanted,
  });
  return {
    validate: () => null,
    bootsByPort: true,
    validateInspection: () => ({ verdict: 'unsupported', reason: 'scripted' }),
    prepareRamdisk: ({ uuid }, parameters, call) =>
      script.run(asked('prepare ramdisk', uuid, parameters), call, () => null),
    cleanUpRamdisk: ({ uuid, attempt }, call) =>
      script.run(asked('clean up ramdisk', uuid, attempt), call, () => undefined),
  };
}

function lifecycleInterface(name: string, script: Script, clock: Clock): LifecycleInterface {
  const asked = (work: WorkName, { uuid }: Machine) => ({
    word: work,
    node: uuid,
    interface: name,
    at: clock.now(),
  });
  return {
    works: Object.values(works).map(({ work }) => work),
    validate: () => null,
    ownSteps: () => [],
    work: (machine, piece, call) =>
      script.run({ ...asked(piece.work, machine), machine, wanted: piece.step, piece }, call, () => ({})),
  };
}

/** One vendor method for each way in which they are called. */
const methodOf = (async: boolean, exclusive: boolean) => ({ httpMethods: ['POST'], async, exclusive, description: '' });

function actingInterface(kind: string, name: string, script: Script, clock: Clock): ActingInterface {
  return {
    validate: () => null,
    vendorMethods: { now: methodOf(false, true), later: methodOf(true, true), beside: methodOf(true, false) },
    check: (_machine, act) => {
      if (name === 'noop') return { unsupported: `${name} does not support ${act.act}` };
      return act.act === 'set indicator' && act.state === 'purple' ? { problem: 'no such colour' } : null;
    },
    carryOut: (machine, act, call) => {
      const asked = {
        word: 'act',
        node: machine.uuid,
        interface: name,
        at: clock.now(),
        wanted: act,
        machine,
      } as const;
      return script.run(asked, call, () => (act.act === 'call vendor method' ? { called: act.method } : undefined));
    },
    ask: async (machine, question) =>
      name === 'noop'
        ? { unsupported: `${name} does not support ${question.ask}` }
        : { answer: { kind, asked: question.ask, managed: machine.managed } },
  };
}

/** Hardware that does what a script says; without one, what is asked, at once. */
export const scriptedHardware = (script: Script, clock: Clock): HardwareRegistry => ({
  inspect: (name) => inspectInterface(name, script, clock),
  power: (name) => powerInterface(name, script, clock),
  management: (name) => managementInterface(name, script, clock),
  boot: (name) => bootInterface(name, script, clock),
  network: () => ({ validate: () => null, validateInspection: () => ({ verdict: 'supported' }) }),
  lifecycle: (_kind, name) => lifecycleInterface(name, script, clock),
  acting: (kind, name) => actingInterface(kind, name, script, clock),
  raid: (name) => ({
    validate: () => null,
    checkConfig: (_machine, config) => raidConfigProblem(config),
    takeStep: lifecycleInterface(name, script, clock).work,
  }),
  parts: (kind, name) => ({
    validate: () => null,
    takeStep: lifecycleInterface(name, script, clock).work,
    read: async ({ extra }) => ({ [kind]: extra[kind] }),
  }),
  validateAll: (_machine, interfaces) =>
    Object.fromEntries(Object.keys(interfaces).map((kind) => [kind, { result: true }])),
});
