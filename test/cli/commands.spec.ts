import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Api,
  enroll,
  ensureBuilt,
  inspect,
  inspectorWaits,
  macOf,
  REPOSITORY,
  type Stack,
  startStack,
  until,
} from '../stack';
import { Ferrolog, ferrolog, jsonOf } from './run-ferrolog';

/** events, replay and fleet against a running stack. */
jest.setTimeout(300_000);

let stack: Stack;
let uuid: string;
const on = (...args: string[]) => ferrolog([...args, '--api', stack.apiUrl]);

beforeAll(async () => {
  ensureBuilt();
  stack = await startStack({ layout: 'single', settings: { inspector: { status_check_period: '1' } } });
  const api = new Api(stack.apiUrl);
  uuid = await enroll(api, { name: 'n.1', mac: macOf(1), inspectWaitTimeout: 0 });
  await api.must(200, 'PATCH', `/v1/nodes/${uuid}`, [
    { op: 'add', path: '/driver_info/redfish_password', value: 'hidden-from-all' },
  ]);
  await inspect(api, uuid);
  await inspectorWaits(stack.inspectorUrl, uuid);
  await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' });
}, 600_000);
afterAll(() => stack?.stop(), 60_000);

describe('ferrolog events', () => {
  it('tells them by name and by UUID, without secrets', async () => {
    const [byName, byUuid] = await Promise.all([on('events', 'n.1'), on('events', uuid)]);
    expect(byName).toMatchObject({ code: 0, stderr: '' });
    expect(byName.stdout).toMatch(/ 1 +req-[0-9a-f]{8} +enrolled +driver fake-hardware/);
    expect(byName.stdout).toMatch(/inspection aborted +attempt 1/);
    expect(byUuid.stdout.split('\n').slice(1)).toEqual(byName.stdout.split('\n').slice(1));
    const { events } = jsonOf<{ events: { version: number; type: string }[] }>(await on('events', 'n.1', '--json'));
    expect(events.map(({ version }) => version)).toEqual(events.map((_, at) => at + 1));
    expect(JSON.stringify(events)).not.toContain('hidden-from-all');
  });

  it('follows what happens until it is interrupted', async () => {
    const following = new Ferrolog(['events', 'n.1', '--follow', '--json', '--api', stack.apiUrl]);
    await until('what happened so far', () => following.stdout.includes('InspectionAborted'));
    await new Api(stack.apiUrl).must(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'a fan' });
    await until('what happens now', () => following.stdout.includes('MaintenanceSet'));
    following.kill('SIGINT');
    const { code, stdout } = await following.ended;
    const versions = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { version: number }).version);
    expect({ code, versions }).toEqual({ code: 0, versions: versions.map((_, at) => at + 1) });
  });

  it('says in one sentence what is not there', async () => {
    expect(await on('events', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Node nobody could not be found'),
    });
    const nowhere = await ferrolog(['events', 'n.1', '--api', 'http://127.0.0.1:9']);
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('Is the stack running (npm start)?') });
  });
});

describe('ferrolog replay', () => {
  interface Replayed {
    readonly steps: readonly {
      version: number;
      type: string;
      difference: unknown[];
      state: Record<string, unknown> | null;
    }[];
    readonly state: Record<string, unknown>;
  }
  const replayed = async (...args: string[]): Promise<Replayed> =>
    jsonOf(await ferrolog(['replay', 'n.1', '--json', ...args]));

  it('ends in the state that the API shows', async () => {
    const { state } = await replayed('--api', stack.apiUrl);
    const node = await new Api(stack.apiUrl).node(uuid);
    const { uuid: shown, name, provision_state, last_error, power_state } = node as unknown as Record<string, unknown>;
    expect(state).toMatchObject({ uuid: shown, name, provision_state, last_error, power_state });
    expect(state['provision_state']).toBe('inspect failed');
  });

  it('is the same from the log itself, and hides secrets there, too', async () => {
    const fromLog = await replayed('--home', stack.home);
    expect(fromLog).toEqual(await replayed('--api', stack.apiUrl));
    expect(jsonOf(await ferrolog(['events', 'n.1', '--json', '--log'], { FERROLOG_HOME: stack.home }))).toEqual(
      jsonOf(await on('events', 'n.1', '--json')),
    );
    expect(JSON.stringify(fromLog)).toContain('"redfish_password":"******"');
    expect(JSON.stringify(fromLog)).not.toMatch(/hidden-from-all|"sealed"/);
  });

  it('stops at a version, and at a time', async () => {
    const { steps } = await replayed('--api', stack.apiUrl);
    const waiting = steps.find(({ type }) => type === 'InspectionWaiting');
    const version = waiting?.version ?? 0;
    const atVersion = await replayed('--api', stack.apiUrl, '--to', String(version));
    expect(atVersion.state['provision_state']).toBe('inspect wait');
    expect(atVersion.steps).toHaveLength(version);
    expect((await on('replay', 'n.1', '--to', '2000-01-01T00:00:00Z')).code).toBe(1);
    expect((await replayed('--api', stack.apiUrl, '--to', '2999-01-01T00:00:00Z')).steps).toHaveLength(steps.length);
  });

  it('tells the difference that each event made', async () => {
    const { code, stdout } = await on('replay', 'n.1');
    expect(code).toBe(0);
    expect(stdout).toContain('~ provision_state: inspect wait → inspect failed');
    expect(stdout).toContain('driver_info.redfish_password: ******');
  });

  it('answers a wrong command line with 2, and a log that is not there with 1', async () => {
    expect((await on('replay', 'n.1', '--to', 'yesterday')).code).toBe(2);
    expect((await on('replay', 'n.1', '--home', stack.home)).code).toBe(2);
    expect(await ferrolog(['replay', 'n.1', '--home', '/nowhere'])).toMatchObject({
      code: 1,
      stderr: 'There is no event log under /nowhere.\n',
    });
  });
});

describe('ferrolog fleet', () => {
  it('drives 20 nodes to the ends that their scripts say, and removes them', async () => {
    const ran = await on(
      'fleet',
      '--nodes',
      '20',
      '--seed',
      '7',
      '--weights',
      'succeed=6,error=2,never=2',
      '--timeout',
      '12',
      '--cleanup',
      '--json',
    );
    const document = jsonOf<{
      ok: boolean;
      endings: { nodes: number; as_scripted: number }[];
      results: { differences: string[] }[];
    }>(ran);
    expect(document.results.filter(({ differences }) => differences.length > 0)).toEqual([]);
    expect({ code: ran.code, ok: document.ok }).toEqual({ code: 0, ok: true });
    expect(document.endings).toHaveLength(3);
    expect(document.endings.reduce((sum, { as_scripted }) => sum + as_scripted, 0)).toBe(20);
    const { json } = await new Api(stack.apiUrl).must(200, 'GET', '/v1/nodes');
    const left = json as { nodes: { name: string }[] };
    expect(left.nodes.map(({ name }) => name)).toEqual(['n.1']);
  });

  it('fails with the node that does not end as its script says', async () => {
    // An interface that inspects by itself never waits for the ramdisk that is to stay silent.
    const ran = await on(
      'fleet',
      '--nodes',
      '1',
      '--weights',
      'never=1',
      '--timeout',
      '5',
      '--inspect-interface',
      'fake',
      '--cleanup',
    );
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/fleet-[0-9a-f]{4}-0001 \(never\): state manageable, not inspect failed/);
  });
});

describe('every command', () => {
  it('tells its version', async () => {
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
    expect(await ferrolog(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(['up', 'demo', 'events', 'replay', 'fleet'])(
    '%s has a help with examples and exit codes',
    async (command) => {
      const { code, stdout } = await ferrolog([command, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Examples:');
      expect(stdout).toContain('--json');
      expect(stdout).toMatch(/Exit codes: 0 .*, 1 .*, 2 /s);
    },
  );

  it('answers what it does not know with 2', async () => {
    expect((await ferrolog(['fly'])).code).toBe(2);
    expect((await ferrolog(['events'])).code).toBe(2);
    expect((await ferrolog(['up', '--fast'])).code).toBe(2);
  });
});
