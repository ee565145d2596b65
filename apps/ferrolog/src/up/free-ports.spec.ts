import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '@lib/adapters/settings-file';
import { writePidFile } from '../services/pid-file';
import { requireFreePorts } from './free-ports';

describe('ports that other programs have', () => {
  let home: string;
  let others: Server[];
  let env: Record<string, string>;

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'home-'));
    others = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')];
    await Promise.all(others.map((server) => once(server, 'listening')));
    const [api, inspector] = others.map((server) => String((server.address() as AddressInfo).port));
    env = { FERROLOG_HOME: home, FERROLOG_API_PORT: api!, FERROLOG_INSPECTOR_PORT: inspector! };
  });
  afterEach(async () => {
    await Promise.all(others.map((server) => new Promise((resolve) => server.close(resolve))));
    rmSync(home, { recursive: true });
  });

  const check = (changes: Record<string, string> = {}) => requireFreePorts(loadSettings({ ...env, ...changes }));

  it('are all told, each with the variable that chooses another one', async () => {
    await expect(check()).rejects.toThrow(
      `api: another program listens on 127.0.0.1 port ${env['FERROLOG_API_PORT']}; stop it, or choose another port with FERROLOG_API_PORT.\n` +
        `inspector-simulator: another program listens on 127.0.0.1 port ${env['FERROLOG_INSPECTOR_PORT']}; stop it, or choose another port with FERROLOG_INSPECTOR_PORT.`,
    );
  });

  it('are those of the services that are started', async () => {
    await expect(check({ FERROLOG_SERVICES: 'inspector-simulator' })).rejects.toThrow(/^inspector-simulator: [^\n]*$/);
    await check({ FERROLOG_SERVICES: 'conductor' });
  });

  it('are free when the others have ended, and where a free one is asked for', async () => {
    await check({ FERROLOG_API_PORT: '0', FERROLOG_INSPECTOR_PORT: '0' });
    await Promise.all(others.map((server) => new Promise((resolve) => server.close(resolve))));
    await check();
    await check();
  });

  it('are left to the services where those of a killed stack may still be there', async () => {
    writePidFile(home, 'api');
    await expect(check()).rejects.toThrow(/^inspector-simulator: [^\n]*$/);
  });
});
