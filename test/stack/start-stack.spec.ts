import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpCall, SERVICES, startStack, until, type Stack, type StackOptions } from '.';

/** A program with the command line of the real one: its services answer, and that is all they do. */
const PROGRAM = `
const { createServer } = require('node:http');
const { spawn } = require('node:child_process');
const { writeFileSync, readFileSync } = require('node:fs');
const { FERROLOG_HOME: home, FERROLOG_API_PORT, FERROLOG_INSPECTOR_PORT, FERROLOG_SERVICES, FAIL } = process.env;
const [word, name] = process.argv.slice(2);
const serve = (service) => {
  if (service === FAIL) { console.error('cannot read [DEFAULT] host'); process.exit(2); }
  writeFileSync(home + '/run/' + service + '.pid', String(process.pid));
  console.log(service + ' with ' + readFileSync(process.env.FERROLOG_CONFIG, 'utf8').trim());
  const port = { api: FERROLOG_API_PORT, 'inspector-simulator': FERROLOG_INSPECTOR_PORT }[service];
  if (port) createServer((request, response) => response.end('{}')).listen(Number(port), '127.0.0.1');
  else setInterval(() => {}, 1000);
};
const services = FERROLOG_SERVICES.split(',');
if (word === 'service') serve(name);
else if (process.argv.includes('--single')) services.forEach(serve);
else {
  const children = services.map((service) => spawn(process.execPath, [__filename, 'service', service], { stdio: 'inherit' }));
  process.on('SIGTERM', () => { if (!process.env.FORGETFUL) children.forEach((child) => child.kill()); process.exit(0); });
}
process.on('SIGTERM', () => process.exit(0));
`;

const alive = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe('startStack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ferrolog-program-'));
  const program = join(folder, 'main.js');
  writeFileSync(program, PROGRAM);
  const settings = { DEFAULT: { host: 'here' } };
  const start = (options: StackOptions): Promise<Stack> => startStack({ program, settings, ...options });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['services', 'up', 'single'] as const)('layout %s: is ready, and leaves nothing behind', async (layout) => {
    const stack = await start({ layout });
    const pids = SERVICES.map((service) => stack.pid(service));
    expect(pids.every(alive)).toBe(true);
    expect((await httpCall(stack.apiUrl, { method: 'GET', path: '/' })).status).toBe(200);
    await until('the log', () => stack.logs().includes('with [DEFAULT]\nhost = here'));
    const stopped = await stack.stop();
    expect(stopped.every(({ how }) => how === 'ended')).toBe(true);
    await until('the end of all', () => !pids.some(alive), { timeoutMs: 5_000 });
    expect(existsSync(stack.home)).toBe(false);
  });

  it('kills what a forgetful command leaves behind', async () => {
    const stack = await start({ layout: 'up', env: { FORGETFUL: 'yes' } });
    const pids = SERVICES.map((service) => stack.pid(service));
    await stack.stop();
    await until('the end of all', () => !pids.some(alive), { timeoutMs: 5_000 });
  });

  it('kills one service and starts it again, the others untouched', async () => {
    const stack = await start({ layout: 'services' });
    const [before, api] = [stack.pid('conductor'), stack.pid('api')];
    await stack.kill('conductor', 'SIGKILL');
    expect(alive(before)).toBe(false);
    expect(stack.exitOf('conductor')).toEqual({ code: null, signal: 'SIGKILL' });
    await stack.restart('conductor');
    expect(stack.pid('conductor')).not.toBe(before);
    expect(stack.pid('api')).toBe(api);
    await stack.stop();
  });

  it('fails with the last log lines when a service does not start', async () => {
    await expect(start({ layout: 'services', env: { FAIL: 'scheduler' } })).rejects.toThrow(
      /scheduler ended[^]*cannot read \[DEFAULT\] host/,
    );
  });

  it('starts only the services that are asked for', async () => {
    const stack = await start({ layout: 'services', services: ['conductor', 'api'] });
    expect(() => stack.pid('scheduler')).toThrow();
    await stack.stop();
  });

  it('keeps the home when told to', async () => {
    const stack = await start({ layout: 'single', keepHome: true });
    await stack.stop();
    expect(existsSync(join(stack.home, 'ferrolog.conf'))).toBe(true);
    rmSync(stack.home, { recursive: true });
  });
});
