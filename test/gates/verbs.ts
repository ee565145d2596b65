/**
 * Verbs, and what may accompany them. contract: microversions.json provision_targets, provision_arguments,
 * heartbeat_arguments; node-api.md §10-11; other-resources.md §3-5
 */
import type { Bed } from './bed';
import { facts } from './facts';
import { verdict, type Probe } from './probe';
import { inspectionData, STEP, TRAIT, waiting } from './things';

const CLEAN_STEP = { interface: 'deploy', step: 'erase' } as const;
const HOLD = { interface: 'power', step: 'hold' } as const;

/** A node that the verb can be asked of, and what goes with it. */
interface Asking {
  readonly node: (bed: Bed) => Promise<string>;
  readonly more?: object;
}

const led =
  (...verbs: string[]) =>
  (bed: Bed) =>
    bed.led(verbs);

const active = led('manage', 'provide', 'active');

async function cleanWait(bed: Bed): Promise<string> {
  const node = await bed.led(['manage'], { extra: { fake: { 'manual clean': { waits: true } } } });
  await bed.provision(node, 'clean', { clean_steps: [CLEAN_STEP] });
  return node;
}

async function cleanHold(bed: Bed): Promise<string> {
  const node = await bed.led(['manage']);
  await bed.provision(node, 'clean', { clean_steps: [HOLD] });
  return node;
}

const targets: Readonly<Record<string, Asking>> = {
  active: { node: led('manage', 'provide') },
  deploy: { node: led('manage', 'provide') },
  rebuild: { node: active },
  deleted: { node: active },
  undeploy: { node: active },
  manage: { node: led() },
  provide: { node: led('manage') },
  inspect: { node: led('manage') },
  abort: { node: cleanWait },
  clean: { node: led('manage'), more: { clean_steps: [CLEAN_STEP] } },
  adopt: { node: led('manage') },
  rescue: { node: active, more: { rescue_password: 'secret' } },
  unrescue: { node: led('manage', 'provide', 'active', 'rescue') },
  unhold: { node: cleanHold },
  service: { node: active, more: { service_steps: [CLEAN_STEP] } },
};

export const knownTargets = Object.keys(targets);

const provision = (bed: Bed, node: string, minor: number, body: object) =>
  bed.ask('PUT', `/v1/nodes/${node}/states/provision`, minor, body);

const verbs = Object.entries(facts.provision_targets).map(([target, gate]): Probe => ({
  name: `verb ${target}`,
  gate,
  below: '406 resource',
  from: '202',
  ask: async (bed, _, minor) => {
    const asking = targets[target];
    if (!asking) throw new Error(`no node for the verb ${target}`);
    return verdict(await provision(bed, await asking.node(bed), minor, { target, ...asking.more }), gate);
  },
}));

/** Where the state does not allow them, most verbs are too new first; these two are a bad request at every version. */
const inAnotherState = Object.entries(facts.provision_targets)
  .filter(([target, gate]) => gate > 1 && target !== 'manage')
  .map(([target, gate]): Probe => ({
    name: `verb ${target} where the state does not allow it`,
    gate,
    below: target === 'unhold' || target === 'service' ? '400 resource' : '406 resource',
    from: '400 resource',
    ask: async (bed, { node }, minor) => verdict(await provision(bed, node, minor, { target }), gate),
  }));

/** An argument with a verb, on a node that the verb can be asked of. */
const argument = (
  name: string,
  gate: number,
  below: string,
  node: (bed: Bed) => Promise<string>,
  body: object,
  from = '202',
): Probe => ({
  name: `argument ${name}`,
  gate,
  below,
  from,
  ask: async (bed, _, minor) => verdict(await provision(bed, await node(bed), minor, body), gate),
});

const given = facts.provision_arguments;
const drive = { user_data: 'x' };
const available = led('manage', 'provide');
const manageable = led('manage');

/** Runbooks are matched with the traits of the node. */
const withTrait = (lead: (bed: Bed) => Promise<string>) => async (bed: Bed) => {
  const node = await lead(bed);
  await bed.must(204, 'PUT', `/v1/nodes/${node}/traits`, { traits: [TRAIT] });
  return node;
};

const argumentProbes: Readonly<Record<string, Probe>> = {
  'configdrive(string) with active/deploy*': argument(
    'configdrive, a string',
    given['configdrive(string) with active/deploy*'],
    '',
    available,
    { target: 'active', configdrive: 'QUJD' },
  ),
  // Below the verb is too new, and so says the answer.
  clean_steps: argument('clean_steps', given.clean_steps, '406 resource', manageable, {
    target: 'clean',
    clean_steps: [CLEAN_STEP],
  }),
  'configdrive with rebuild': argument(
    'configdrive with rebuild',
    given['configdrive with rebuild'],
    '400 resource',
    active,
    { target: 'rebuild', configdrive: 'QUJD' },
  ),
  rescue_password: argument('rescue_password', given.rescue_password, '406 resource', active, {
    target: 'rescue',
    rescue_password: 'secret',
  }),
  'configdrive(object)': argument('configdrive, an object', given['configdrive(object)'], '400 resource', available, {
    target: 'active',
    configdrive: drive,
  }),
  'configdrive.vendor_data': argument(
    'configdrive with vendor_data',
    given['configdrive.vendor_data'],
    '400 resource',
    available,
    { target: 'active', configdrive: { ...drive, vendor_data: {} } },
  ),
  deploy_steps: argument('deploy_steps', given.deploy_steps, '406 resource', available, {
    target: 'active',
    deploy_steps: [STEP],
  }),
  'disable_ramdisk with clean': argument(
    'disable_ramdisk with clean',
    given['disable_ramdisk with clean'],
    '406 resource',
    manageable,
    { target: 'clean', clean_steps: [CLEAN_STEP], disable_ramdisk: true },
  ),
  runbook: argument('runbook', given.runbook, '406 resource', withTrait(manageable), {
    target: 'clean',
    runbook: TRAIT,
  }),
  service_steps: argument('service_steps', given.service_steps, '406 resource', active, {
    target: 'service',
    service_steps: [CLEAN_STEP],
  }),
  'disable_ramdisk with service': argument(
    'disable_ramdisk with service',
    given['disable_ramdisk with service'],
    '406 resource',
    active,
    { target: 'service', service_steps: [CLEAN_STEP], disable_ramdisk: true },
  ),
};

export const knownArguments = Object.keys(argumentProbes);

const aborts: readonly Probe[] = [
  {
    name: 'abort in inspect wait',
    gate: 41,
    below: '406 resource',
    from: '202',
    ask: async (bed, _, minor) =>
      verdict(await provision(bed, (await waiting(bed)).node, minor, { target: 'abort' }), 41),
  },
  {
    name: 'abort in wait call-back',
    gate: 110,
    below: '406 resource',
    from: '202',
    ask: async (bed, _, minor) => {
      const node = await bed.led(['manage', 'provide', 'active'], { extra: { fake: { deploy: { waits: true } } } });
      return verdict(await provision(bed, node, minor, { target: 'abort' }), 110);
    },
  },
];

const power = (name: string, body: object): Probe => ({
  name: `power: ${name}`,
  gate: 27,
  below: '406 resource',
  from: '202',
  ask: async (bed, _, minor) =>
    verdict(await bed.ask('PUT', `/v1/nodes/${await bed.node()}/states/power`, minor, body), 27),
});

const powers = [
  power('soft rebooting', { target: 'soft rebooting' }),
  power('soft power off', { target: 'soft power off' }),
  power('a timeout', { target: 'power on', timeout: 30 }),
];

const agentArguments: Readonly<Record<string, unknown>> = {
  callback_url: '',
  agent_version: '11.0.0',
  agent_token: '',
  agent_verify_ca: 'PEM',
  agent_status: 'start',
  agent_status_message: 'hello',
};

export const knownHeartbeatArguments = Object.keys(agentArguments);

const { _note, ...heartbeatGates } = facts.heartbeat_arguments;

/** Before 1.36 there is nothing that a conductor would accept a heartbeat by: it asks for a version or a status. */
const heartbeats = Object.entries(heartbeatGates).map(([name, gate]): Probe => {
  const family = gate === 22;
  return {
    name: `heartbeat argument ${name}`,
    gate,
    below: family ? '404 resource' : '400 resource',
    from: family ? '400 resource' : '202',
    ask: async (bed, _, minor) => {
      const { node } = await waiting(bed);
      const { body } = await bed.must(200, 'GET', `/v1/lookup?node_uuid=${node}`);
      const { agent_token } = (body as { config: { agent_token: string } }).config;
      const usual = { callback_url: '', agent_token, ...(family ? {} : { agent_version: '11.0.0' }) };
      const sent = { ...usual, [name]: name === 'agent_token' ? agent_token : agentArguments[name] };
      return verdict(await bed.ask('POST', `/v1/heartbeat/${node}`, minor, sent), gate);
    },
  };
});

const lookups: readonly Probe[] = [
  {
    name: 'lookup hands out a token',
    gate: 62,
    below: 'no token',
    from: 'a token',
    ask: async (bed, _, minor) => {
      const { node } = await waiting(bed);
      const { body } = await bed.ask('GET', `/v1/lookup?node_uuid=${node}`, minor);
      const { agent_token } = (body as { config: { agent_token: unknown } }).config;
      return agent_token === null ? 'no token' : /^[\w-]{43}$/.test(String(agent_token)) ? 'a token' : 'nonsense';
    },
  },
  {
    name: 'continue_inspection with node_uuid',
    gate: 84,
    below: '404 resource',
    from: '202',
    ask: async (bed, _, minor) => {
      const { node, mac } = await waiting(bed);
      return verdict(
        await bed.ask('POST', `/v1/continue_inspection?node_uuid=${node}`, minor, inspectionData(mac)),
        84,
      );
    },
  },
];

export const verbProbes: readonly Probe[] = [
  ...verbs,
  ...inAnotherState,
  ...Object.values(argumentProbes),
  ...aborts,
  ...powers,
  ...heartbeats,
  ...lookups,
];
