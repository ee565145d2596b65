/** Lifecycle work that waits and is held, over the API on fake hardware. contract: node-api.md §10; state-machine.json */
import { fakeDeploy, fakePower, fakeRescue } from '@lib/adapters/hardware-fake';
import type { HardwareRegistry } from '@lib/ports';
import { expectSoundEnd } from '../field-reports/row';
import { Script } from '../world';
import { scriptedHardware } from '../world/scripted-hardware';
import { Whole, type Client, type Seen } from '../whole';

let whole: Whole;
let api: Client;

beforeEach(async () => {
  whole = await Whole.start({
    hardware: (clock): HardwareRegistry => ({
      ...scriptedHardware(new Script(), clock),
      lifecycle: (kind) => (kind === 'deploy' ? fakeDeploy : fakeRescue),
      power: () => fakePower,
    }),
    settings: {
      conductor: {
        clean_callback_timeout: 60,
        deploy_callback_timeout: 70,
        rescue_callback_timeout: 80,
        service_callback_timeout: 90,
      },
    },
  });
  api = await whole.api();
});

afterEach(() => expectSoundEnd(whole));

const ask = (uuid: string, body: object, version?: string): Promise<Seen> =>
  api.call('PUT', `/v1/nodes/${uuid}/states/provision`, body, version);
const must = async (uuid: string, body: object): Promise<void> => {
  const { status, text } = await ask(uuid, body);
  if (status !== 202) throw new Error(`${JSON.stringify(body)}: ${status} ${text}`);
};
const step = (name: string, args?: object) => ({ interface: 'deploy', step: name, ...(args ? { args } : {}) });
const waitsAt = (...works: string[]) => ({
  extra: { fake: Object.fromEntries(works.map((one) => [one, { waits: true }])) },
});
const calledBack = async (uuid: string): Promise<void> => {
  const { status } = await api.heartbeat(uuid, await api.token(uuid));
  expect(status).toBe(202);
};
const rescue = { target: 'rescue', rescue_password: 'correct-horse' };
const service = { target: 'service', service_steps: [step('flash', { waits: true })] };

async function active(extra: object = {}): Promise<string> {
  const uuid = await api.machine({ fields: extra as Record<string, unknown> });
  await must(uuid, { target: 'provide' });
  await must(uuid, { target: 'active' });
  return uuid;
}

describe('a node that waits for its ramdisk', () => {
  it.each([
    { what: 'a manual clean', wait: 'clean wait', done: 'manageable', failed: 'clean failed', seconds: 60 },
    { what: 'a deployment', wait: 'wait call-back', done: 'active', failed: 'deploy failed', seconds: 70 },
    { what: 'a rescue', wait: 'rescue wait', done: 'rescue', failed: 'rescue failed', seconds: 80 },
    { what: 'a service', wait: 'service wait', done: 'active', failed: 'service failed', seconds: 90 },
  ])('for $what goes on with a heartbeat, or fails at its deadline', async ({ what, wait, done, failed, seconds }) => {
    const begin: Record<string, () => Promise<string>> = {
      'a manual clean': async () => {
        const uuid = await api.machine();
        await must(uuid, { target: 'clean', clean_steps: [step('erase', { waits: true })] });
        return uuid;
      },
      'a deployment': () => active(waitsAt('deploy')),
      'a rescue': async () => {
        const uuid = await active(waitsAt('rescue'));
        await must(uuid, rescue);
        return uuid;
      },
      'a service': async () => {
        const uuid = await active();
        await must(uuid, service);
        return uuid;
      },
    };
    const [lucky, late] = [await begin[what]!(), await begin[what]!()];
    expect(await api.node(lucky)).toMatchObject({ provision_state: wait, reservation: null });
    await calledBack(lucky);
    expect(await api.node(lucky)).toMatchObject({ provision_state: done, target_provision_state: null });
    await whole.clock.advanceBy(seconds * 1000 - 1);
    expect(await api.state(late)).toBe(wait);
    await whole.clock.advanceBy(1500);
    expect(await api.node(late)).toMatchObject({
      provision_state: failed,
      last_error: expect.stringContaining(`within ${seconds} seconds`) as string,
    });
    expect((await api.history(late)).at(-1)?.event).toContain(`within ${seconds} seconds`);
  });

  it('shows its step without the secrets in it, and goes through all of them in order', async () => {
    const uuid = await api.machine();
    const first = step('erase', { waits: true, password: 'correct-horse', passes: 3 });
    await must(uuid, { target: 'clean', clean_steps: [first, step('hold'), step('configure')] });
    const args = { waits: true, password: '******', passes: 3 };
    expect(await api.node(uuid)).toMatchObject({ clean_step: { interface: 'deploy', step: 'erase', args } });
    await calledBack(uuid);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'clean hold', clean_step: step('hold') });
    expect((await ask(uuid, { target: 'unhold' }, '1.84')).status).toBe(406);
    await whole.clock.advanceBy(2_000_000);
    expect(await api.state(uuid)).toBe('clean hold');
    await must(uuid, { target: 'unhold' });
    const told = await api.node(uuid);
    expect(told).toMatchObject({
      provision_state: 'clean wait',
      driver_internal_info: { agent_secret_token: '******' },
    });
  });

  it('is held while in maintenance, and survives the death of its conductor', async () => {
    const uuid = await active(waitsAt('deploy'));
    whole.conductors[0]!.kill();
    await whole.conductor();
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'why' });
    await whole.clock.advanceBy(600_000);
    expect(await api.state(uuid)).toBe('wait call-back');
    await api.must(202, 'DELETE', `/v1/nodes/${uuid}/maintenance`);
    await whole.clock.advanceBy(1000);
    expect(await api.state(uuid)).toBe('deploy failed');
  });
});

describe('an abort', () => {
  it('of a deployment that waits is there from 1.110 on', async () => {
    const uuid = await active(waitsAt('deploy'));
    expect((await ask(uuid, { target: 'abort' }, '1.109')).status).toBe(406);
    expect((await ask(uuid, { target: 'abort' }, '1.110')).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'deploy failed', target_provision_state: 'active' });
  });

  it('of a held deployment tears it down', async () => {
    const uuid = await api.machine();
    await must(uuid, { target: 'provide' });
    const deploy_steps = [{ ...step('hold', {}), priority: 200 }];
    await must(uuid, { target: 'active', deploy_steps });
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'deploy hold', deploy_step: deploy_steps[0] });
    await must(uuid, { target: 'abort' });
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'available', deploy_step: {} });
  });

  it('of a service leads back to active, of a rescue to rescue failed', async () => {
    const uuid = await active(waitsAt('rescue'));
    await must(uuid, service);
    await must(uuid, { target: 'abort' });
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'active', service_step: {} });
    await must(uuid, rescue);
    await must(uuid, { target: 'abort' });
    expect(await api.state(uuid)).toBe('rescue failed');
  });

  it('waits for the end of a step that must not be broken off', async () => {
    const uuid = await api.machine();
    const clean_steps = [step('flash', { waits: true, abortable: false }), step('configure')];
    await must(uuid, { target: 'clean', clean_steps });
    await must(uuid, { target: 'abort' });
    expect(await api.state(uuid)).toBe('clean wait');
    await calledBack(uuid);
    expect(await api.node(uuid)).toMatchObject({
      provision_state: 'clean failed',
      target_provision_state: 'manageable',
    });
  });
});

it('a runbook that shares a trait with the node gives its steps, and a deploy template those of the instance', async () => {
  const uuid = await api.machine();
  const runbook = { name: 'erase-all', steps: [{ ...step('hold'), order: 1 }] };
  await api.must(201, 'POST', '/v1/runbooks', runbook);
  expect((await ask(uuid, { target: 'clean', runbook: 'erase-all' })).status).toBe(400);
  await api.must(204, 'PUT', '/v1/runbooks/erase-all/traits', { traits: ['CUSTOM_A'] });
  await api.must(204, 'PUT', `/v1/nodes/${uuid}/traits`, { traits: ['CUSTOM_A'] });
  await must(uuid, { target: 'clean', runbook: 'erase-all' });
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'clean hold', clean_step: { step: 'hold', order: 1 } });
  await must(uuid, { target: 'unhold' });
  expect(await api.state(uuid)).toBe('manageable');
  await must(uuid, { target: 'provide' });
  const template = { name: 'CUSTOM_A', steps: [{ ...step('fail_here', { fails: 'no luck' }), priority: 150 }] };
  await api.must(201, 'POST', '/v1/deploy_templates', template);
  const traits = [{ op: 'add', path: '/instance_info/traits', value: ['CUSTOM_A'] }];
  await api.must(200, 'PATCH', `/v1/nodes/${uuid}`, traits);
  await must(uuid, { target: 'active' });
  expect(await api.node(uuid)).toMatchObject({
    provision_state: 'deploy failed',
    last_error: 'Failed to deploy instance: step deploy.fail_here failed: no luck',
  });
});
