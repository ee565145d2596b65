import { ManualClock } from '../manual-clock';
import { aMachine, bmcAccount, RedfishBmc } from './index';

const SYSTEM = '/redfish/v1/Systems/1';
const SESSIONS = '/redfish/v1/SessionService/Sessions';
const basic = `Basic ${Buffer.from(`${bmcAccount.username}:${bmcAccount.password}`).toString('base64')}`;

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('RedfishBmc', () => {
  const clock = new ManualClock();
  const machine = aMachine({ powerDelayMs: 5000, refusesSameState: true });
  let bmc: RedfishBmc;

  beforeAll(async () => {
    bmc = await RedfishBmc.start({ machines: [machine, aMachine({ id: '2' })], clock });
  });
  afterAll(() => bmc.stop());
  afterEach(() => bmc.faults.clear());

  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const options = { method, headers: { authorization: basic, ...headers }, body: JSON.stringify(body) };
    const answer = await fetch(`${bmc.url}${path}`, options);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: (text ? JSON.parse(text) : null) as never };
  };
  const power = async () => ((await send('GET', SYSTEM)).body as { PowerState: string }).PowerState;
  const reset = (type: string) => send('POST', `${SYSTEM}/Actions/ComputerSystem.Reset`, { ResetType: type });

  it('tells its root to anybody, and the rest to its account', async () => {
    expect((await send('GET', '/redfish/v1/', undefined, { authorization: '' })).status).toBe(200);
    expect((await send('GET', SYSTEM, undefined, { authorization: '' })).status).toBe(401);
    expect((await send('GET', `${SYSTEM}/`)).status).toBe(200);
    expect((await send('GET', '/redfish/v1/Systems/3')).status).toBe(404);
  });

  it('opens a session for its account, until that is deleted', async () => {
    const wrong = await send('POST', SESSIONS, { UserName: 'admin', Password: 'guess' }, { authorization: '' });
    expect(wrong.status).toBe(401);
    const { username: UserName, password: Password } = bmcAccount;
    const made = await send('POST', SESSIONS, { UserName, Password }, { authorization: '' });
    expect(made.status).toBe(201);
    const token = { authorization: '', 'x-auth-token': made.headers.get('x-auth-token') ?? '' };
    expect((await send('GET', SYSTEM, undefined, token)).status).toBe(200);
    expect((await send('DELETE', made.headers.get('location') ?? '', undefined, token)).status).toBe(204);
    expect((await send('GET', SYSTEM, undefined, token)).status).toBe(401);
  });

  it('every link leads to a document', async () => {
    const seen = new Set<string>();
    const walk = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, body } = await send('GET', path);
      expect(`${path} ${status}`).toBe(`${path} 200`);
      const links = JSON.stringify(body).matchAll(/"@odata\.id":"([^"]+)"/g);
      for (const [, to = ''] of links) await walk(to.replace(/\/$/, ''));
    };
    await walk('/redfish/v1');
    expect(seen).toContain(`${SYSTEM}/Storage/1/Drives/2`);
  });

  it('changes the power in its own time, and refuses what it is not able to do', async () => {
    expect((await reset('Explode')).status).toBe(400);
    expect((await reset('On')).status).toBe(204);
    expect(await power()).toBe('Off');
    await clock.advanceBy(5000);
    expect(await power()).toBe('On');
    expect((await reset('On')).status).toBe(409);
    expect((await reset('ForceRestart')).status).toBe(204);
    await clock.advanceBy(5000);
    expect(await power()).toBe('Off');
    await clock.advanceBy(5000);
    expect(await power()).toBe('On');
  });

  it('keeps a boot device for one boot', async () => {
    const once = { BootSourceOverrideTarget: 'Pxe', BootSourceOverrideEnabled: 'Once' };
    expect((await send('PATCH', SYSTEM, { Boot: { BootSourceOverrideTarget: 'Tape' } })).status).toBe(400);
    expect((await send('PATCH', SYSTEM, { Boot: once })).status).toBe(204);
    expect(machine.boot).toMatchObject({ target: 'Pxe', enabled: 'Once' });
    await reset('ForceRestart');
    await clock.advanceBy(10_000);
    expect(machine.boot.enabled).toBe('Disabled');
  });

  it('misbehaves to order, as often as it was told', async () => {
    bmc.faults.add({ fault: { kind: 'status', status: 503 }, method: 'GET', path: /Systems\/1$/, times: 2 });
    expect([await send('GET', SYSTEM), await send('GET', SYSTEM), await send('GET', SYSTEM)]).toMatchObject([
      { status: 503 },
      { status: 503 },
      { status: 200 },
    ]);
    bmc.faults.add({ fault: { kind: 'half answer' }, times: 1 });
    await expect(send('GET', SYSTEM)).rejects.toThrow();
    bmc.faults.add({ fault: { kind: 'cut' }, times: 1 });
    await expect(send('GET', SYSTEM)).rejects.toThrow();
    bmc.faults.add({ fault: { kind: 'malformed' }, times: 1 });
    await expect(send('GET', SYSTEM)).rejects.toThrow(SyntaxError);
    bmc.faults.add({ fault: { kind: 'hang' }, times: 1 });
    const before = bmc.requests.length;
    const impatient = new AbortController();
    const hanging = expect(fetch(`${bmc.url}${SYSTEM}`, { signal: impatient.signal })).rejects.toThrow();
    while (bmc.requests.length === before) await soon();
    impatient.abort();
    await hanging;
    bmc.faults.add({ fault: { kind: 'slow', ms: 1000 }, times: 1 });
    const slow = send('GET', SYSTEM);
    while (clock.pending() === 0) await soon();
    await clock.advanceBy(1000);
    expect((await slow).status).toBe(200);
  });
});
