/** How cleaning, deployment, rescue and service end otherwise than well, with who brought it about and why. contract: node-api.md §10, §18 */
import { fakeDeploy, fakePower, fakeRescue } from '@lib/adapters/hardware-fake';
import type { HardwareRegistry } from '@lib/ports';
import { expectSoundEnd } from '../field-reports/row';
import { Script } from '../world';
import { scriptedHardware } from '../world/scripted-hardware';
import { Whole, type Client, type Seen } from '../whole';

const SECONDS = 60;

let whole: Whole;
let api: Client;

beforeEach(async () => {
  whole = await Whole.start({
    hardware: (clock): HardwareRegistry => ({
      ...scriptedHardware(new Script(), clock),
      lifecycle: (kind) => (kind === 'deploy' ? fakeDeploy : fakeRescue),
      power: () => fakePower,
    }),
    settings: {
      conductor: {
        clean_callback_timeout: SECONDS,
        deploy_callback_timeout: SECONDS,
        rescue_callback_timeout: SECONDS,
        service_callback_timeout: SECONDS,
      },
    },
  });
  api = await whole.api();
});
afterEach(() => expectSoundEnd(whole));

/** What the fake machine does instead of ending well. */
type Fate = { readonly fails: string } | { readonly waits: true };

const verb = async (uuid: string, body: object, headers: Record<string, string> = {}): Promise<Seen> => {
  const sent = { 'Content-Type': 'application/json', ...headers };
  const seen = await api.call('PUT', `/v1/nodes/${uuid}/states/provision`, body, undefined, sent);
  expect([seen.status, seen.text]).toEqual([202, '']);
  return seen;
};
const steps = (fate: Fate) => [{ interface: 'deploy', step: 'flash', args: fate }];

async function machine(fake: Readonly<Record<string, Fate>> = {}): Promise<string> {
  return api.machine({ fields: { extra: { fake } } });
}

async function deploying(fake: Readonly<Record<string, Fate>> = {}): Promise<string> {
  const uuid = await machine(fake);
  await verb(uuid, { target: 'provide' });
  await verb(uuid, { target: 'active' });
  return uuid;
}

interface Begun {
  readonly work: string;
  readonly begin: (fate: Fate) => Promise<string>;
  readonly failed: string;
  /** Where an abort leads to. */
  readonly aborted: string;
}

const begun: readonly Begun[] = [
  {
    work: 'manual clean',
    begin: async (fate) => {
      const uuid = await machine();
      await verb(uuid, { target: 'clean', clean_steps: steps(fate) });
      return uuid;
    },
    failed: 'clean failed',
    aborted: 'clean failed',
  },
  {
    work: 'deploy',
    begin: (fate) => deploying({ deploy: fate }),
    failed: 'deploy failed',
    aborted: 'deploy failed',
  },
  {
    work: 'rescue',
    begin: async (fate) => {
      const uuid = await deploying({ rescue: fate });
      await verb(uuid, { target: 'rescue', rescue_password: 'correct-horse' });
      return uuid;
    },
    failed: 'rescue failed',
    aborted: 'rescue failed',
  },
  {
    work: 'service',
    begin: async (fate) => {
      const uuid = await deploying();
      await verb(uuid, { target: 'service', service_steps: steps(fate) });
      return uuid;
    },
    failed: 'service failed',
    aborted: 'active',
  },
];

interface Meta {
  readonly actor: string | null;
  readonly requestId: string | null;
  readonly causation: string | null;
  readonly source: string;
}

interface Ended {
  readonly type: string;
  readonly data: { readonly work: string; readonly reason?: string };
  readonly meta: Meta;
}

/** The one ending of what was begun; the cause in its meta, the type and the text of the last entry in the history. */
async function ending(uuid: string): Promise<{ ended: Ended; entry: readonly [string, string] }> {
  const all = (await api.events(uuid)) as unknown as readonly Ended[];
  const ends = all.filter(({ type }) => /^Work(Failed|TimedOut|Aborted|Interrupted)$/.test(type));
  expect(ends).toHaveLength(1);
  expect(ends[0]!.meta).toMatchObject({ actor: null, source: 'conductor/conductor-1' });
  const { event, event_type: type } = (await api.history(uuid)).at(-1)!;
  return { ended: ends[0]!, entry: [type, event] };
}

describe.each(begun)('$work', ({ work, begin, failed, aborted }) => {
  it('by a failure: the task that failed is its cause', async () => {
    const uuid = await begin({ fails: 'no luck' });
    const { ended, entry } = await ending(uuid);
    expect(ended).toMatchObject({ type: 'WorkFailed', data: { work } });
    expect(ended.meta).toMatchObject({ requestId: null, causation: expect.stringMatching(/^effect \d+/) });
    expect(entry).toEqual(['provisioning', expect.stringContaining('no luck')]);
    expect(await api.node(uuid)).toMatchObject({ provision_state: failed, last_error: entry[1] });
  });

  it('by a timeout: its deadline is its cause', async () => {
    const uuid = await begin({ waits: true });
    await whole.pass(SECONDS * 1000);
    const { ended, entry } = await ending(uuid);
    expect(ended).toMatchObject({ type: 'WorkTimedOut', data: { work } });
    expect(ended.meta).toMatchObject({ requestId: null, causation: expect.stringMatching(/^deadline \d+$/) });
    expect(entry).toEqual(['provisioning', expect.stringContaining(`within ${SECONDS} seconds`)]);
    expect(await api.node(uuid)).toMatchObject({ provision_state: failed, last_error: entry[1] });
  });

  it('by an abort: the request is its cause, and its reason stays', async () => {
    const uuid = await begin({ waits: true });
    await verb(uuid, { target: 'abort' }, { 'X-Ferrolog-Reason': 'wrong rack' });
    const { ended, entry } = await ending(uuid);
    expect(ended).toMatchObject({ type: 'WorkAborted', data: { work, reason: 'wrong rack' } });
    expect(ended.meta).toMatchObject({ requestId: expect.stringMatching(/^req-/), causation: null });
    expect(entry).toEqual(['provisioning', expect.stringMatching(/abort.*: wrong rack$/)]);
    expect(await api.state(uuid)).toBe(aborted);
    // Nothing of it fires later.
    await whole.pass(SECONDS * 2000);
    expect((await ending(uuid)).ended).toEqual(ended);
  });
});
