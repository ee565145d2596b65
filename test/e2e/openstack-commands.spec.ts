import { Api, startStack, type Stack } from '../stack';
import { clientMissing, OpenstackShell } from './openstack/shell';
import { walkFiles } from './openstack/walks/files';
import { Lives, walkLifecycle } from './openstack/walks/lifecycle';
import { walkManagement } from './openstack/walks/management';
import { walkNodes } from './openstack/walks/nodes';
import { walkResources } from './openstack/walks/resources';
import type { Site } from './openstack/walks/site';

/** Every command that Debian's client has for bare metal (python3-ironicclient), in one process of it against the running stack. */
const missing = clientMissing();
if (missing !== null) process.stdout.write(`SKIPPED the openstack client's commands: ${missing}\n`);
const withClient = missing === null ? describe : describe.skip;

const START_TIMEOUT_MS = 240_000;
jest.setTimeout(180_000);

withClient('openstack baremetal', () => {
  let stack: Stack;
  let shell: OpenstackShell;
  let lives: Lives;
  const siteOf = (): Site => ({ stack, shell, api: new Api(stack.apiUrl) });

  beforeAll(async () => {
    const settings = {
      DEFAULT: { enabled_inspect_interfaces: 'agent, fake, no-inspect', default_inspect_interface: 'agent' },
      api: { max_limit: '3' },
      inspector: { require_managed_boot: 'false' },
    };
    stack = await startStack({ settings, layout: 'single' });
    shell = new OpenstackShell(stack.apiUrl);
    lives = new Lives(siteOf());
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await lives?.close();
    await shell?.close();
    await stack?.stop();
  }, 60_000);

  describe('writes down', () => walkResources(siteOf));
  describe('asks of nodes', () => walkNodes(siteOf));
  describe('asks of machines', () => walkManagement(siteOf));
  describe('creates from files', () => walkFiles(siteOf));
  describe('leads through their lives', () => walkLifecycle(siteOf, () => lives));

  it('has no word that was not said', async () => {
    const commands = await shell.commands();
    expect(commands.length).toBeGreaterThan(80);
    const asked = [...shell.asked, ...lives.asked].map((line) => `${line} `);
    const unsaid = commands.filter((command) => !asked.some((line) => line.startsWith(`${command} `)));
    expect(unsaid).toEqual([]);
  });
});
