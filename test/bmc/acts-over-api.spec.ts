/** What the API answers of acts that a BMC carries out (contract: node-api.md §13, §21). */
import type { BmcMachine } from '@lib/testing/redfish-bmc';
import { OverApi } from './over-api';

let bed: OverApi;
let uuid: string;

beforeAll(async () => {
  bed = await OverApi.start({ connectionAttempts: 1, serverErrorAttempts: 0 });
});
afterEach(() => bed.bmc.stop());
afterAll(() => bed.stop());

interface Seen {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
}

const start = async (machine: Partial<BmcMachine> = {}): Promise<void> => {
  uuid = await bed.managed(machine);
};

async function call(method: string, path: string, body?: unknown): Promise<Seen> {
  const { answer } = await bed.whole.during(bed.api.send(method, `/v1/nodes/${uuid}/${path}`, body), 2);
  return answer;
}

describe('virtual media', () => {
  const image_url = 'https://op:hidden@images.example/rescue.iso';

  it('are attached, shown and detached', async () => {
    await start();
    expect((await call('POST', 'vmedia', { device_type: 'cdrom', image_url })).status).toBe(204);
    expect(bed.bmc.machine().media).toEqual({ Cd: 'https://images.example/rescue.iso', Usb: null });
    expect(bed.bmc.machine().mediaAccount).toEqual({ username: 'op', password: 'hidden' });
    const shown = await call('GET', 'vmedia');
    expect([shown.status, shown.body]).toEqual([
      200,
      [
        { media_types: ['CD', 'DVD'], inserted: true, image: 'https://images.example/rescue.iso' },
        { media_types: ['USBStick'], inserted: false, image: null },
      ],
    ]);
    expect((await call('DELETE', 'vmedia?device_types=cdrom')).status).toBe(204);
    expect(bed.bmc.machine().media).toEqual({ Cd: null, Usb: null });
  });

  it('that the machine has no device for, or does not take, are an error that tells no account', async () => {
    await start();
    const none = await call('POST', 'vmedia', { device_type: 'floppy', image_url });
    expect([none.status, none.text]).toEqual([500, expect.stringContaining('no virtual device for floppy')]);
    bed.bmc.faults.add({ path: /InsertMedia$/, fault: { kind: 'status', status: 400, message: 'No such image.' } });
    const refused = await call('POST', 'vmedia', { device_type: 'cdrom', image_url });
    expect([refused.status, refused.text]).toEqual([500, expect.stringMatching(/^(?!.*hidden).*400 No such image/)]);
    expect(await bed.api.node(uuid)).toMatchObject({ reservation: null, provision_state: 'manageable' });
  });
});

describe('indicators', () => {
  it('are listed, shown and set', async () => {
    await start();
    const { body } = await call('GET', 'management/indicators');
    const { indicators } = body as { indicators: { name: string }[] };
    expect(indicators.map(({ name }) => name)).toEqual(['1@system', '1@chassis', '1@disk', '2@disk']);
    expect((await call('PUT', 'management/indicators/1@chassis', { state: 'on' })).status).toBe(204);
    expect((await call('GET', 'management/indicators/1@chassis')).body).toEqual({ state: 'on' });
  });

  it('that are none of the machine are refused', async () => {
    await start();
    expect((await call('GET', 'management/indicators/9@chassis')).status).toBe(400);
    expect((await call('PUT', 'management/indicators/1@fan', { state: 'on' })).status).toBe(400);
    expect((await call('PUT', 'management/indicators/1@system', { state: 'red' })).status).toBe(400);
  });
});

it('a question that the BMC does not answer is an error with its words', async () => {
  await start();
  bed.bmc.faults.add({ path: /Systems\/1$/, fault: { kind: 'status', status: 503, message: 'Try later.' } });
  for (const path of ['management/boot_device', 'management/indicators', 'vmedia']) {
    const { status, text } = await call('GET', path);
    expect([path, status, text]).toEqual([path, 500, expect.stringContaining('503 Try later.')]);
  }
});
