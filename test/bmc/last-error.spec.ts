/** What a node says of an inspection whose BMC is in trouble (contract: redfish.md §4, failure cases), over the API. */
import { aMachine, bmcAccount, selfSigned } from '@lib/testing/redfish-bmc';
import type { FaultRule } from '@lib/testing/redfish-bmc';
import { OverApi } from './over-api';

const READ_TIMEOUT_MS = 120_000;
const GIB = 1024 ** 3;

let bed: OverApi;

beforeAll(async () => {
  bed = await OverApi.start({ readTimeoutMs: READ_TIMEOUT_MS });
});
afterEach(() => bed.bmc.stop());
afterAll(() => bed.stop());

/** The node after its inspection, and what it says. */
async function inspected(
  uuid: string,
  stepMs?: number,
): Promise<{ readonly state: string; readonly said: string | null }> {
  await bed.api.inspect(uuid);
  const isOver = (node: Record<string, unknown>) => node['provision_state'] !== 'inspecting' && !node['reservation'];
  await bed.until('the inspection is over', uuid, isOver, stepMs);
  const { provision_state: state, last_error: said } = await bed.api.node(uuid);
  return { state, said };
}

const failed = (said: RegExp) => ({ state: 'inspect failed', said: expect.stringMatching(said) });
const manageable = { state: 'manageable', said: null };

describe('an inspection out of band fails, and the node says why, where the BMC', () => {
  it('is out of reach', async () => {
    const uuid = await bed.managed();
    await bed.bmc.stop();
    expect(await inspected(uuid)).toEqual(failed(/http:\/\/127\S+ could not be reached: .*ECONNREFUSED.*\(5 tries\)/));
  });

  it('shows a certificate that nobody vouches for', async () => {
    const uuid = await bed.managed({}, { redfish_verify_ca: false }, { tls: selfSigned() });
    await bed.api.must(200, 'PATCH', `/v1/nodes/${uuid}`, [
      { op: 'replace', path: '/driver_info/redfish_verify_ca', value: true },
    ]);
    expect(await inspected(uuid)).toEqual(failed(/could not be reached: .*self.signed.*\(5 tries\)/));
  });

  it('no longer takes the password, which the text does not repeat', async () => {
    const uuid = await bed.managed();
    bed.bmc.sessions.account = { ...bmcAccount, password: 'another one' };
    bed.bmc.sessions.expire();
    const end = await inspected(uuid);
    expect(end).toEqual(failed(/401.*\(5 tries\)/));
    expect(end.said).not.toContain(bmcAccount.password);
  });

  it('does not have the system', async () => {
    const uuid = await bed.managed();
    bed.machines.splice(0, 1, aMachine({ id: '2' }));
    expect(await inspected(uuid)).toEqual(failed(/GET \/redfish\/v1\/Systems\/1: 404 There is no resource/));
  });

  it('has two systems, and the node does not say which', async () => {
    const uuid = await bed.managed({}, { redfish_system_id: null });
    bed.machines.push(aMachine({ id: '2' }));
    expect(await inspected(uuid)).toEqual(failed(/has 2 systems: driver_info needs redfish_system_id/));
  });

  it('has no system, and the node does not say which', async () => {
    const uuid = await bed.managed({}, { redfish_system_id: null });
    bed.machines.splice(0, 1);
    expect(await inspected(uuid)).toEqual(failed(/has 0 systems: driver_info needs redfish_system_id/));
  });

  it('tells of no Ethernet interfaces', async () => {
    expect(await inspected(await bed.managed({ nics: null }))).toEqual(
      failed(/Unexpected exception.*no link to its EthernetInterfaces/),
    );
  });

  it('does not tell the memory', async () => {
    expect(await inspected(await bed.managed({ odd: { MemorySummary: undefined } }))).toEqual(
      failed(/essential properties: memory_mb$/),
    );
  });

  it('says nothing for longer than it may', async () => {
    const uuid = await bed.managed();
    bed.bmc.faults.add({ path: /Processors$/, fault: { kind: 'hang' } });
    expect(await inspected(uuid, 10_000)).toEqual(failed(/no answer within 120 seconds \(5 tries\)/));
  });

  it('talks nonsense', async () => {
    const uuid = await bed.managed();
    bed.bmc.faults.add({ path: /Processors$/, fault: { kind: 'malformed' } });
    expect(await inspected(uuid)).toEqual(failed(/answered GET \S+Processors with something that is no JSON object/));
  });

  it('is out of order for good', async () => {
    const uuid = await bed.managed();
    bed.bmc.faults.add({ path: /Systems\/1$/, fault: { kind: 'status', status: 500, message: 'Out of memory.' } });
    expect(await inspected(uuid)).toEqual(failed(/Systems\/1: 500 Out of memory\. \(11 tries\)/));
  });
});

describe('an inspection out of band gets over', () => {
  it.each<[string, FaultRule]>([
    ['500 once', { path: /Systems\/1$/, times: 1, fault: { kind: 'status', status: 500 } }],
    ['503 for a while', { path: /Processors/, times: 7, fault: { kind: 'status', status: 503 } }],
    ['a slow answer', { path: /Processors$/, times: 1, fault: { kind: 'slow', ms: READ_TIMEOUT_MS - 60_000 } }],
    ['a session that expires in the middle', { path: /Drives\/1$/, times: 1, fault: { kind: 'status', status: 401 } }],
  ])('%s', async (_, rule) => {
    const uuid = await bed.managed();
    bed.bmc.faults.add(rule);
    expect(await inspected(uuid)).toEqual(manageable);
  });

  it('a drive that does not tell its size', async () => {
    const drives = [
      { name: 'Drive 0', capacityBytes: null },
      { name: 'Drive 1', capacityBytes: 960 * GIB },
    ];
    const uuid = await bed.managed({ drives });
    expect(await inspected(uuid)).toEqual(manageable);
    expect((await bed.api.node(uuid)).properties).toMatchObject({ local_gb: 959 });
    expect((await bed.api.inventory(uuid)).body.inventory.disks).toEqual([
      { name: 'Drive 0', size: null },
      { name: 'Drive 1', size: 960 * GIB },
    ]);
  });
});
