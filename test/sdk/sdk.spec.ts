import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startStack, type Stack } from '../stack';

/** openstacksdk (Debian: python3-openstacksdk) against the running stack: its bare metal proxy, method by method. */
const PYTHON = '/usr/bin/python3';
const imported = spawnSync(PYTHON, ['-c', 'import openstack.baremetal.v1._proxy'], { encoding: 'utf8' });
const isMissing = imported.status !== 0;
if (isMissing)
  process.stdout.write('SKIPPED openstacksdk: it is not installed (apt-get install python3-openstacksdk)\n');
const withSdk = isMissing ? describe.skip : describe;

const START_TIMEOUT_MS = 240_000;
const WALK_TIMEOUT_MS = 170_000;
jest.setTimeout(180_000);

interface Walk {
  readonly methods: readonly string[];
  readonly walked: readonly string[];
}

/** Walks; what went wrong is the error's text. */
const walk = (endpoint: string): Promise<Walk> =>
  new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', HOME: '/nonexistent' };
    const script = join(__dirname, 'walk_proxy.py');
    const child = spawn(PYTHON, [script, endpoint], { env, timeout: WALK_TIMEOUT_MS });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Walk);
      else reject(new Error(`the walk ended with ${code}:\n${stderr}${stdout}`));
    });
  });

withSdk('openstacksdk', () => {
  let stack: Stack;
  beforeAll(async () => {
    const settings = {
      DEFAULT: { enabled_inspect_interfaces: 'agent, fake, no-inspect' },
      inspector: { require_managed_boot: 'false' },
    };
    stack = await startStack({ settings, layout: 'single' });
  }, START_TIMEOUT_MS);
  afterAll(() => stack?.stop(), 60_000);

  it('gets from every method of its proxy what it expects', async () => {
    const { methods, walked } = await walk(stack.apiUrl);
    process.stdout.write(`openstacksdk: ${walked.length} of ${methods.length} methods walked\n`);
    expect(methods.length).toBeGreaterThan(70);
    expect(methods.filter((name) => !walked.includes(name))).toEqual([]);
  });
});
