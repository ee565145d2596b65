import { until } from '../../../stack';
import { OpenstackShell } from '../shell';
import { enrolled, powerSettles, type Shown, type Site, type SiteOf } from './site';

const WAIT = ['--wait', '60'] as const;

async function stands({ shell }: Site, name: string, state: string): Promise<void> {
  const shown = await shell.json('node', 'show', name, '--fields', 'provision_state', 'last_error');
  expect(shown).toEqual({ provision_state: state, last_error: null });
}

/** Verbs in the order of a life, waited for; between two looks the client sleeps for up to ten seconds. */
async function walkThroughALife(site: Site): Promise<void> {
  const { shell } = site;
  await enrolled(site, 'life', '--inspect-interface', 'fake');
  const verbs: readonly (readonly [verb: string, state: string, ...options: string[]])[] = [
    ['manage', 'manageable'],
    ['inspect', 'manageable'],
    ['provide', 'available'],
    ['deploy', 'active', '--config-drive', '{"meta_data": {"hostname": "life"}}'],
    ['rescue', 'rescue', '--rescue-password', 'let me in'],
    ['unrescue', 'active'],
    ['rebuild', 'active'],
    ['undeploy', 'available'],
  ];
  for (const [verb, state, ...options] of verbs) {
    // While it waits the client says so on its error output.
    const { stderr } = await shell.say('node', verb, ...WAIT, ...options, 'life');
    expect([verb, stderr]).toEqual([verb, expect.not.stringMatching(/HTTP|rror/)]);
    await stands(site, 'life', state);
  }
}

async function walkByGivenSteps(site: Site): Promise<void> {
  const { shell } = site;
  await enrolled(site, 'stepwise');
  await shell.say('node', 'manage', ...WAIT, 'stepwise');
  const steps = [{ interface: 'deploy', step: 'erase_devices' }];
  await shell.say('node', 'clean', ...WAIT, '--clean-steps', JSON.stringify(steps), 'stepwise');
  await stands(site, 'stepwise', 'manageable');
  expect(await shell.refused('node', 'clean', '--clean-steps', '[{"interface": "x"}]', 'stepwise')).toContain('400');
  await shell.say('node', 'adopt', ...WAIT, 'stepwise');
  await stands(site, 'stepwise', 'active');
  await shell.say('node', 'undeploy', ...WAIT, 'stepwise');
  await stands(site, 'stepwise', 'available');
  const deploySteps = [{ interface: 'bios', step: 'apply_configuration', args: {}, priority: 50 }];
  await shell.say('node', 'deploy', ...WAIT, '--deploy-steps', JSON.stringify(deploySteps), 'stepwise');
  await stands(site, 'stepwise', 'active');
}

/** Walks that mostly sleep. They run beside the others, each in a client of its own. */
export class Lives {
  readonly life: Promise<void>;
  readonly stepwise: Promise<void>;
  private readonly shells: readonly OpenstackShell[];

  constructor(private readonly site: Site) {
    const [one, other] = [this.own(), this.own()];
    this.shells = [one.shell, other.shell];
    this.life = walkThroughALife(one);
    this.stepwise = walkByGivenSteps(other);
    // Whoever waits for them hears of it.
    for (const walk of [this.life, this.stepwise]) walk.catch(() => undefined);
  }

  /** All that was asked in them. */
  get asked(): readonly string[] {
    return this.shells.flatMap(({ asked }) => asked);
  }

  async close(): Promise<void> {
    for (const shell of this.shells) await shell.close();
  }

  private own(): Site {
    return { ...this.site, shell: new OpenstackShell(this.site.stack.apiUrl) };
  }
}

/** What leads a machine from state to state; with `--wait` the client asks until it is there. */
export function walkLifecycle(siteOf: SiteOf, lives: () => Lives): void {
  it('manage, inspect, provide, deploy, rescue, unrescue, rebuild, undeploy', () => lives().life);

  it('clean by steps, adopt, and deploy by steps', () => lives().stepwise);

  it('abort, while the client waits for the end', async () => {
    const { shell, api } = siteOf();
    const uuid = await enrolled(siteOf(), 'aborted', '--inspect-interface', 'agent');
    await shell.say('node', 'manage', ...WAIT, uuid);
    await shell.done('node', 'inspect', uuid);
    await api.state(uuid, 'inspect wait');
    await shell.done('node', 'abort', uuid);
    const shown = await shell.json('node', 'show', uuid, '--fields', 'provision_state', 'last_error');
    expect(shown).toEqual({ provision_state: 'inspect failed', last_error: expect.stringContaining('aborted') });
    const history = await shell.json<Shown[]>('node', 'history', 'list', uuid);
    expect(history).toHaveLength(1);
    const entry = await shell.json('node', 'history', 'get', uuid, history[0]!['UUID'] as string);
    expect(entry).toMatchObject({ event: expect.stringContaining('aborted'), event_type: 'introspection' });
    // With --long this release asks for an entry of the name `detail`, which no server has (contract: node-api.md §18).
    expect(await shell.refused('node', 'history', 'list', uuid, '--long')).toContain('404');
    const refused = await shell.refused('node', 'abort', uuid);
    expect(refused).toMatch(/inspect failed.*HTTP 400/);
    // A wait that ends in a failure is one.
    const waiting = shell.refused('node', 'inspect', ...WAIT, uuid);
    await api.state(uuid, 'inspect wait');
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    expect(await waiting).toContain('inspect failed');
  });

  it('allocations: given to a machine, waited for, and in vain', async () => {
    const { shell, api } = siteOf();
    const uuid = await enrolled(siteOf(), 'lab-1', '--resource-class', 'lab');
    await shell.done('node', 'add', 'trait', 'lab-1', 'CUSTOM_LAB');
    await shell.say('node', 'manage', ...WAIT, uuid);
    await shell.done('node', 'power', 'off', uuid);
    await powerSettles(api, uuid, 'power off');
    await shell.say('node', 'provide', ...WAIT, uuid);
    const wanted = ['--resource-class', 'lab', '--trait', 'CUSTOM_LAB', '--candidate-node', 'lab-1'];
    const { stdout } = await shell.say('allocation', 'create', ...wanted, '--name', 'mine', ...WAIT, '-f', 'json');
    const made = JSON.parse(stdout) as Shown;
    expect(made).toMatchObject({ state: 'active', node_uuid: uuid });
    await shell.done('allocation', 'set', 'mine', '--name', 'ours', '--extra', 'a=1', '--extra', 'b=2');
    await shell.done('allocation', 'unset', 'ours', '--extra', 'a');
    expect(await shell.json('allocation', 'show', 'ours')).toMatchObject({ uuid: made['uuid'], extra: { b: 2 } });
    const listed = await shell.json<Shown[]>('allocation', 'list', '--node', 'lab-1', '--state', 'active');
    expect(listed).toEqual([expect.objectContaining({ UUID: made['uuid'], Name: 'ours' })]);
    expect(await shell.json('node', 'show', '--instance', made['uuid'] as string)).toMatchObject({ uuid });
    const vain = await shell.refused('allocation', 'create', '--resource-class', 'none', '--name', 'vain', ...WAIT);
    expect(vain).toMatch(/error|fail/i);
    for (const name of ['ours', 'vain']) await shell.say('allocation', 'delete', name);
    await until('the machine is free', async () => {
      const { json } = await api.send('GET', `/v1/nodes/${uuid}?fields=instance_uuid`);
      return (json as Shown)['instance_uuid'] === null;
    });
    expect(await shell.json('allocation', 'list')).toEqual([]);
  });
}
