/** Why an operator aborts: kept with what ends. */
import { Whole, type Client, type Seen } from '../whole';
import { expectSoundEnd } from '../field-reports/row';

let whole: Whole;
let api: Client;

beforeEach(async () => {
  whole = await Whole.start();
  api = await whole.api();
});
afterEach(() => expectSoundEnd(whole));

const abort = (uuid: string, reason: string): Promise<Seen> => {
  const headers = { 'Content-Type': 'application/json', 'X-Ferrolog-Reason': reason };
  return api.call('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' }, undefined, headers);
};
const asBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

it.each(['agent', 'inspector'] as const)(
  'stands in event, last_error and history of the inspection (%s)',
  async (inspect) => {
    const uuid = await api.waiting({ inspect });
    expect((await abort(uuid, asBytes('falsches Gehäuse'))).status).toBe(202);
    const text = 'Inspection was aborted by request: falsches Gehäuse';
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'inspect failed', last_error: text });
    expect((await api.history(uuid)).map(({ event }) => event)).toEqual([text]);
    for (const type of ['InspectionAbortRequested', 'InspectionAborted']) {
      const [event] = await api.events(uuid, type);
      expect(event!.data['reason']).toBe('falsches Gehäuse');
    }
  },
);

it('is none where none is given, and too long is refused before anything happens', async () => {
  const uuid = await api.waiting();
  expect((await abort(uuid, 'x'.repeat(256))).status).toBe(400);
  expect(await api.state(uuid)).toBe('inspect wait');
  expect((await abort(uuid, '  ')).status).toBe(202);
  expect(await api.node(uuid)).toMatchObject({ last_error: 'Inspection was aborted by request.' });
  const [asked] = await api.events(uuid, 'InspectionAbortRequested');
  expect(asked!.data).not.toHaveProperty('reason');
});

it('is no word of a refused abort, which must not read as one', async () => {
  const uuid = await api.waiting({ inspect: 'inspector' });
  whole.script.refuse('abort', new Error('the inspector is down'));
  await abort(uuid, 'wrong rack');
  expect(await api.node(uuid)).toMatchObject({
    provision_state: 'inspect wait',
    last_error: expect.not.stringContaining('aborted'),
  });
  whole.statuses.length = 0;
});
