import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedfishBmc, selfSigned } from '@lib/testing/redfish-bmc';
import type { BmcOptions } from '@lib/testing/redfish-bmc';
import { Bed, clock } from './bed';

let bed: Bed;
afterEach(() => bed.close());

const read = (info = bed.info()) => bed.power.read(bed.machine({ driverInfo: info }), bed.call);
const sessions = () => bed.bmc.asked('POST', /Sessions$/);
const system = /Systems\/1$/;

describe('authentication', () => {
  it('opens one session for many requests, also at once', async () => {
    bed = await Bed.open();
    expect(await Promise.all([read(), read(), read()])).toEqual(['power off', 'power off', 'power off']);
    await read();
    expect(sessions()).toHaveLength(1);
    expect(bed.bmc.asked('GET', system).every(({ headers }) => headers['x-auth-token'] !== undefined)).toBe(true);
    expect(bed.bmc.asked('GET', system)[0]?.headers).toMatchObject({ 'odata-version': '4.0' });
  });

  it('auto falls back to the password where there are no sessions', async () => {
    bed = await Bed.open({}, {}, { auth: 'basic' });
    expect(await read()).toBe('power off');
    expect(bed.bmc.asked('GET', system)[0]?.headers.authorization).toMatch(/^Basic /);
  });

  it('session never sends the password along', async () => {
    bed = await Bed.open({}, {}, { auth: 'basic' });
    await expect(read(bed.info({ redfish_auth_type: 'session' }))).rejects.toThrow(/opened no session/);
    expect(bed.bmc.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('basic asks for no session, and without a user nothing is sent', async () => {
    bed = await Bed.open();
    expect(await read(bed.info({ redfish_auth_type: 'basic' }))).toBe('power off');
    expect(sessions()).toEqual([]);
    const nobody = bed.info({ redfish_username: null });
    await expect(read(nobody)).rejects.toThrow(/401.*5 tries/);
  });

  it('authenticates once more when its session has expired, and repeats the request', async () => {
    bed = await Bed.open();
    await read();
    bed.bmc.sessions.expire();
    expect(await read()).toBe('power off');
    expect(sessions()).toHaveLength(2);
    expect(bed.bmc.asked('GET', system).map(({ status }) => status)).toEqual([200, 401, 200]);
  });

  it('a session that worked is not given up for the password', async () => {
    bed = await Bed.open();
    await read();
    bed.bmc.sessions.expire();
    bed.bmc.faults.add({ method: 'POST', path: /Sessions$/, fault: { kind: 'status', status: 500 } });
    await expect(read()).rejects.toThrow(/opened no session: 500/);
    expect(bed.bmc.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('a wrong password is an error with the words of the BMC, and its connection is not kept', async () => {
    bed = await Bed.open();
    await expect(read(bed.info({ redfish_password: 'guess' }))).rejects.toThrow(/401 Who are you\? \(5 tries\)/);
    expect(bed.connections.size).toBe(0);
    expect(await read()).toBe('power off');
  });
});

describe('headers', () => {
  const all = {
    'odata-version': '4.0',
    accept: 'application/json',
    'content-type': 'application/json',
    'accept-encoding': 'identity',
  };

  it('go with each request', async () => {
    bed = await Bed.open();
    await bed.management.setBootDevice(bed.machine(), 'pxe', false, bed.call);
    expect(bed.bmc.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'PATCH']);
    for (const { headers } of bed.bmc.requests) expect(headers).toMatchObject(all);
    for (const { headers } of bed.bmc.asked('PATCH')) expect(headers).not.toHaveProperty('if-match');
  });

  it('of a change name the state that it is about, where the BMC has names for states', async () => {
    bed = await Bed.open({}, {}, { etags: 'strong' });
    await bed.management.setBootDevice(bed.machine(), 'pxe', false, bed.call);
    expect(bed.bmc.asked('PATCH').map(({ headers, status }) => [headers['if-match'], status])).toEqual([
      [expect.stringMatching(/^"\w+"$/), 204],
    ]);
  });

  it('do so anew where the state has changed in between, or only another spelling of its name is taken', async () => {
    bed = await Bed.open({}, {}, { etags: 'weak' });
    await bed.management.setBootDevice(bed.machine(), 'pxe', false, bed.call);
    expect(bed.bmc.asked('PATCH').map(({ headers, status }) => [headers['if-match'], status])).toEqual([
      [expect.stringMatching(/^W\/"\w+"$/), 412],
      [expect.stringMatching(/^"\w+"$/), 204],
    ]);
    expect(bed.bmc.machine().boot.target).toBe('Pxe');
  });

  it('a BMC that takes no name of a state is not asked for ever', async () => {
    bed = await Bed.open({}, {}, { etags: 'strong' });
    bed.bmc.faults.add({ method: 'PATCH', fault: { kind: 'status', status: 412, message: 'Not this one.' } });
    await expect(bed.management.setBootDevice(bed.machine(), 'pxe', false, bed.call)).rejects.toThrow('412 Not this');
    expect(bed.bmc.asked('PATCH')).toHaveLength(2);
  });
});

describe('connections', () => {
  it('are told apart by account and kept up to a number', async () => {
    bed = await Bed.open({}, { connectionsMax: 1 });
    await read();
    await read(bed.info({ redfish_auth_type: 'basic' }));
    expect(bed.connections.size).toBe(1);
    await read();
    expect(sessions()).toHaveLength(2);
  });

  it('are those that were used last', async () => {
    bed = await Bed.open({}, { connectionsMax: 2 });
    const by = (redfish_auth_type: string) => read(bed.info({ redfish_auth_type }));
    for (const type of ['session', 'auto', 'session', 'basic', 'session']) await by(type);
    expect(sessions()).toHaveLength(2);
    await by('auto');
    expect(sessions()).toHaveLength(3);
  });

  it('are not kept where none is to be', async () => {
    bed = await Bed.open({}, { connectionsMax: 0 });
    expect([await read(), await read()]).toEqual(['power off', 'power off']);
    expect(bed.connections.size).toBe(0);
    expect(sessions()).toHaveLength(2);
  });

  it('are told apart by what is asked of TLS', async () => {
    bed = await Bed.open();
    for (const redfish_tls_minimum_version of [null, '1.2', '1.3'])
      await read(bed.info({ redfish_tls_minimum_version }));
    expect(bed.connections.size).toBe(3);
  });

  it('are few for one BMC, however much is asked of it', async () => {
    bed = await Bed.open();
    await read();
    await Promise.all(Array.from({ length: 30 }, () => read()));
    expect(bed.bmc.connections).toBeLessThanOrEqual(6);
  });

  it('a BMC that closed one in the meantime is asked over another, and not counted as out of reach', async () => {
    bed = await Bed.open({}, { connectionAttempts: 1 });
    await read();
    bed.bmc.faults.add({ fault: { kind: 'cut' }, path: system, times: 1 });
    expect(await read()).toBe('power off');
    expect(bed.bmc.asked('GET', system)).toHaveLength(3);
  });

  it('nobody there is an error with the number of tries', async () => {
    bed = await Bed.open();
    await bed.bmc.stop();
    await expect(read()).rejects.toThrow(/could not be reached: .*ECONNREFUSED.* \(5 tries\)/);
  });

  it('a BMC that comes back meanwhile is found', async () => {
    bed = await Bed.open();
    const { port } = bed.bmc;
    await bed.bmc.stop();
    const asked = read();
    const back = await RedfishBmc.start({ machines: [bed.bmc.machine()], clock, port });
    await expect(asked).resolves.toBe('power off');
    await back.stop();
  });

  it('one that hangs does not keep another one waiting', async () => {
    bed = await Bed.open();
    const other = await Bed.open();
    bed.bmc.faults.add({ fault: { kind: 'hang' } });
    const hanging = read();
    hanging.catch(() => undefined);
    expect(await other.power.read(other.machine(), other.call)).toBe('power off');
    await other.close();
    bed.abort.abort();
    await expect(hanging).rejects.toThrow();
  });

  it('silence has a limit', async () => {
    bed = await Bed.open({}, { connectionAttempts: 2, readTimeoutMs: 20_000 });
    await read();
    bed.bmc.faults.add({ fault: { kind: 'hang' }, path: system });
    await expect(read()).rejects.toThrow(/no answer within 20 seconds \(2 tries\)/);
  });

  it('slow answers are waited for', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ fault: { kind: 'slow', ms: 30_000 }, path: system });
    expect(await read()).toBe('power off');
  });

  it('half an answer is asked for again', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ fault: { kind: 'half answer' }, path: system, times: 2 });
    expect(await read()).toBe('power off');
  });

  it('an answer that is no JSON is an error', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ fault: { kind: 'malformed' }, path: system });
    await expect(read()).rejects.toThrow('no JSON object');
  });
});

describe('answers of a BMC in trouble', () => {
  it('a read is repeated on 5xx, eleven times in all', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ fault: { kind: 'status', status: 503 }, path: system, times: 10 });
    expect(await read()).toBe('power off');
    bed.bmc.faults.add({ fault: { kind: 'status', status: 500, message: 'Out of memory.' }, path: system });
    await expect(read()).rejects.toThrow(/answered GET \/redfish\/v1\/Systems\/1: 500 Out of memory\. \(11 tries\)/);
  });

  it('a system that is not there is not asked for again', async () => {
    bed = await Bed.open();
    await expect(read(bed.info({ redfish_system_id: '/redfish/v1/Systems/9' }))).rejects.toThrow(/404/);
    expect(bed.bmc.asked('GET', /Systems\/9/)).toHaveLength(1);
  });

  it('the only system needs no name, one of several does', async () => {
    bed = await Bed.open();
    expect(await read(bed.info({ redfish_system_id: undefined }))).toBe('power off');
    (bed.bmc as unknown as { options: { machines: unknown[] } }).options.machines.push({
      ...bed.bmc.machine(),
      id: '2',
    });
    await expect(read(bed.info({ redfish_system_id: undefined }))).rejects.toThrow(/has 2 systems.*redfish_system_id/);
  });
});

describe('TLS', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tls-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('trusts whom it is told to trust, by file or folder, and nobody else', async () => {
    const tls = selfSigned();
    bed = await Bed.open({}, { connectionAttempts: 2 }, { tls });
    await expect(read()).rejects.toThrow(/self.signed.*\(2 tries\)/);
    const file = join(folder, 'ca.pem');
    writeFileSync(file, tls.cert);
    expect(await read(bed.info({ redfish_verify_ca: file }))).toBe('power off');
    expect(await read(bed.info({ redfish_verify_ca: folder }))).toBe('power off');
    expect(await read(bed.info({ redfish_verify_ca: false }))).toBe('power off');
    writeFileSync(file, selfSigned().cert);
    await expect(read(bed.info({ redfish_verify_ca: `${folder}/.` }))).rejects.toThrow(/self.signed/);
  });

  const offered = async (tls: BmcOptions['tls'], info: Record<string, unknown>): Promise<unknown> => {
    bed = await Bed.open({}, { connectionAttempts: 1 }, { tls: { ...selfSigned(), ...tls } });
    return read(bed.info({ redfish_verify_ca: false, ...info }));
  };

  it('is not spoken below the version that the node asks for', async () => {
    const tls = { maxVersion: 'TLSv1.2' } as const;
    expect(await offered(tls, { redfish_tls_minimum_version: '1.2' })).toBe('power off');
    await bed.close();
    await expect(offered(tls, { redfish_tls_minimum_version: '1.3' })).rejects.toThrow(
      /could not be reached: .*(protocol version|unsupported protocol).*\(1 try\)$/i,
    );
  });

  it('is spoken with an old BMC where the node says so', async () => {
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(offered(old, {})).rejects.toThrow('could not be reached');
    await bed.close();
    const info = { redfish_tls_minimum_version: '1.1', redfish_tls_ciphers: 'DEFAULT@SECLEVEL=0' };
    expect(await offered(old, info)).toBe('power off');
  });

  it('is spoken with the ciphers that the node names', async () => {
    const tls = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' } as const;
    expect(await offered(tls, { redfish_tls_ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' })).toBe('power off');
    await bed.close();
    await expect(offered(tls, { redfish_tls_ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' })).rejects.toThrow(
      /could not be reached: .*handshake/i,
    );
  });
});
