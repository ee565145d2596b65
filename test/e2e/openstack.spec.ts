import { Api, startStack, type Stack } from '../stack';
import { clientMissing, OpenstackShell } from './openstack/shell';

/** The field's own client (Debian: python3-openstackclient, python3-ironicclient) and an inspector, over the stack of processes. */
const missing = clientMissing();
if (missing !== null) process.stdout.write(`SKIPPED the openstack client's test: ${missing}\n`);
const withClient = missing === null ? describe : describe.skip;

const START_TIMEOUT_MS = 240_000;
jest.setTimeout(180_000);

withClient('openstack baremetal, with an inspector', () => {
  let stack: Stack;
  let shell: OpenstackShell;

  beforeAll(async () => {
    const settings = {
      DEFAULT: { enabled_inspect_interfaces: 'inspector, fake, no-inspect' },
      conductor: { inspect_wait_timeout: '1800', automated_clean: 'false' },
      inspector: { status_check_period: '1', require_managed_boot: 'false' },
    };
    stack = await startStack({ settings, layout: 'up' });
    shell = new OpenstackShell(stack.apiUrl);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await shell?.close();
    await stack?.stop();
  }, 60_000);

  it('enrolls, manages and inspects a machine, and shows what was found', async () => {
    const created = await shell.json<{ uuid: string; provision_state: string }>(
      ...['node', 'create', '--driver', 'fake-hardware', '--name', 'rack1.node1', '--inspect-interface', 'inspector'],
      ...['--extra', 'simulator={"script": "succeed", "after": 1}'],
    );
    expect(created.provision_state).toBe('enroll');
    const { uuid } = created;
    await shell.done('port', 'create', '--node', uuid, '52:54:00:AB:CD:01');
    await shell.say('node', 'manage', '--wait', '60', uuid);
    await shell.say('node', 'inspect', '--wait', '60', 'rack1.node1');
    const shown = await shell.json<{ provision_state: string; last_error: null; properties: Record<string, unknown> }>(
      ...['node', 'show', 'rack1.node1'],
    );
    expect(shown).toMatchObject({ provision_state: 'manageable', last_error: null });
    expect(Number(shown.properties['memory_mb'])).toBeGreaterThan(0);
    const ports = await shell.json<Array<{ Address: string }>>('port', 'list', '--node', uuid);
    expect(ports.map(({ Address }) => Address)).toContain('52:54:00:ab:cd:01');
    // This release of the client has no word for inventories: asked without it.
    const inventory = await new Api(stack.apiUrl).must(200, 'GET', `/v1/nodes/${uuid}/inventory`);
    expect(inventory.json).toMatchObject({ inventory: { memory: expect.any(Object) } });
  });

  it('aborts an inspection that waits, and finds the reason in the history [1.3]', async () => {
    const { uuid } = await shell.json<{ uuid: string }>(
      ...['node', 'create', '--driver', 'fake-hardware', '--name', 'rack1.node2', '--inspect-interface', 'inspector'],
      ...['--extra', 'simulator={"script": "never"}'],
    );
    await shell.done('port', 'create', '--node', uuid, '52:54:00:ab:cd:02');
    await shell.say('node', 'manage', '--wait', '60', uuid);
    await shell.done('node', 'inspect', uuid);
    await new Api(stack.apiUrl).state(uuid, 'inspect wait');
    await shell.done('node', 'abort', uuid);
    const shown = await shell.json<{ provision_state: string; last_error: string }>(
      ...['node', 'show', uuid, '--fields', 'provision_state', 'last_error'],
    );
    expect(shown.provision_state).toBe('inspect failed');
    expect(shown.last_error.toLowerCase()).toContain('aborted');
    const history = await shell.json<Array<Record<string, string>>>('node', 'history', 'list', uuid);
    expect(history).toHaveLength(1);
    expect(JSON.stringify(history[0]).toLowerCase()).toContain('aborted');
    expect(await shell.refused('node', 'abort', uuid)).toContain('inspect failed');
  });

  it('a wait for an inspection that is aborted ends with the reason', async () => {
    const { uuid } = await shell.json<{ uuid: string }>(
      ...['node', 'create', '--driver', 'fake-hardware', '--inspect-interface', 'inspector'],
      ...['--extra', 'simulator={"script": "never"}'],
    );
    await shell.done('port', 'create', '--node', uuid, '52:54:00:ab:cd:03');
    await shell.say('node', 'manage', '--wait', '60', uuid);
    const waiting = shell.refused('node', 'inspect', '--wait', '60', uuid);
    const api = new Api(stack.apiUrl);
    await api.state(uuid, 'inspect wait');
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    expect(await waiting).toContain('inspect failed');
  });
});
