/** Every way out of an inspection, with who brought it about and why, in events and history. contract: inspection.md §14 */
import { Whole, type Client } from '../whole';
import { expectSoundEnd } from '../field-reports/row';

const MAC = '52:54:00:00:00:01';

let whole: Whole;
let api: Client;

beforeEach(async () => {
  whole = await Whole.start({ settings: { conductor: { inspect_wait_timeout: 100 } } });
  api = await whole.api();
});
afterEach(() => expectSoundEnd(whole));

interface Meta {
  readonly actor: string | null;
  readonly requestId: string | null;
  readonly causation: string | null;
  readonly source: string;
}

interface Ending {
  readonly event: string;
  /** What brings it about. */
  readonly by: (uuid: string) => Promise<unknown>;
  /** It stands in the meta of the event: a request, or what the conductor itself had asked for. */
  readonly cause: 'request' | RegExp;
  /** Text and type in the history; null: success and removal write none. */
  readonly history: readonly [RegExp, string] | null;
}

const endings: readonly Ending[] = [
  { event: 'InspectionFinished', by: () => api.data(MAC), cause: /^effect \d+/, history: null },
  {
    event: 'InspectionFailed',
    by: () => api.call('POST', '/v1/continue_inspection', { ...dataWithError }),
    cause: /^effect \d+/,
    history: [/the disk is gone/, 'introspection'],
  },
  {
    event: 'InspectionTimedOut',
    by: () => whole.pass(100_000),
    cause: /^deadline \d+$/,
    history: [/timeout reached/i, 'introspection'],
  },
  {
    event: 'InspectionAborted',
    by: (uuid) => api.provision(uuid, 'abort'),
    cause: /^effect \d+/,
    history: [/aborted/, 'introspection'],
  },
  {
    event: 'InspectionRemoved',
    by: async (uuid) => {
      await api.must(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, {});
      await api.must(204, 'DELETE', `/v1/nodes/${uuid}`);
    },
    cause: 'request',
    history: null,
  },
];

const dataWithError = {
  inventory: { interfaces: [{ name: 'eth0', mac_address: MAC }], cpu: { architecture: 'x86_64' }, bmc_address: null },
  error: 'the disk is gone',
};

it.each(endings)('$event tells its cause and leaves its word', async ({ event, by, cause, history }) => {
  const uuid = await api.waiting({ mac: MAC });
  await by(uuid);
  const events = await api.events(uuid);
  const [ending, ...more] = events.filter(({ type }) =>
    type.match(/^Inspection(Finished|Failed|TimedOut|Aborted|Removed)$/),
  );
  expect([ending?.type, more]).toEqual([event, []]);
  const { requestId, causation, source } = (ending as unknown as { meta: Meta }).meta;
  if (cause === 'request') expect(requestId).toMatch(/^req-/);
  else expect(causation).toMatch(cause);
  expect(source).toBe('conductor/conductor-1');
  if (event === 'InspectionRemoved') return;
  const rows = await api.history(uuid);
  expect(rows.map(({ event: text, event_type: type }) => [text, type])).toEqual(
    history ? [[expect.stringMatching(history[0]), history[1]]] : [],
  );
});

it('an ending by a request leads to it: the abort was asked for under its id', async () => {
  const uuid = await api.waiting();
  await api.provision(uuid, 'abort');
  const [asked] = (await api.events(uuid, 'InspectionAbortRequested')) as unknown as { meta: Meta }[];
  expect(asked!.meta.requestId).toMatch(/^req-/);
});
