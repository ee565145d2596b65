import type { Command } from '@lib/contracts';
import { NODE, World, documentOf, eventTypes, manageable, provision, waiting } from '../../../../test/world';

const agent = { inspect_interface: 'agent' };
const lookUp = (tokenDigest: string | null, inAnyState = false): Command => ({
  type: 'LookUpNode',
  uuid: NODE,
  tokenDigest,
  inAnyState,
});
const heartbeat = (tokenDigest: string): Command => ({
  type: 'RecordHeartbeat',
  uuid: NODE,
  callbackUrl: 'https://192.0.2.9:9999',
  tokenDigest,
  agentVersion: '9.14.0',
  agentStatus: null,
  agentStatusMessage: null,
  agentVerifyCa: null,
  requireTls: true,
});

describe('a ramdisk', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
  });
  afterEach(() => world.stop());

  const issued = async (digest: string | null, options = {}): Promise<unknown> => {
    const reply = await world.ask(lookUp(digest), options);
    return reply.ok ? reply.result['issued'] : reply.code;
  };
  const code = async (command: Command): Promise<string> => {
    const reply = await world.ask(command);
    return reply.ok ? 'accepted' : reply.code;
  };

  it('gets its token once; whoever asks later gets none (API-14)', async () => {
    await waiting(world, NODE, agent);
    expect([await issued('d-1'), await issued('d-2'), await issued(null)]).toEqual([true, false, false]);
    expect([await code(heartbeat('d-2')), await code(heartbeat('d-1'))]).toEqual(['INVALID_PARAMETER', 'accepted']);
  });

  it('gets the same answer when its lookup is sent twice', async () => {
    await waiting(world, NODE, agent);
    const once = { commandId: 'c-1' };
    expect([await issued('d-1', once), await issued('d-1', once)]).toEqual([true, true]);
  });

  it('of the boot before is refused, and the next one registers (ABT-08)', async () => {
    await waiting(world, NODE, agent);
    await issued('t-1');
    await world.do(provision('abort'));
    await world.do(provision('inspect'));
    expect(await code(heartbeat('t-1'))).toBe('INVALID_PARAMETER');
    expect([await issued('t-2'), await code(heartbeat('t-2'))]).toEqual([true, 'accepted']);
  });

  it('leaves two events however often it calls, and no error (CBK-08)', async () => {
    await waiting(world, NODE, agent);
    for (let times = 0; times < 50; times += 1) {
      await issued('d-1');
      await world.do(heartbeat('d-1'));
    }
    const contacts = (await eventTypes(world)).filter((type) => type.startsWith('Agent'));
    expect(contacts).toEqual(['AgentLookedUp', 'AgentHeartbeat']);
    expect(await documentOf(world)).toMatchObject({ last_error: null, provision_state: 'inspect wait' });
  });

  it('shows in the node that it has a token, never which', async () => {
    await waiting(world, NODE, agent);
    await issued('d-1');
    const document = await documentOf(world);
    expect(document?.['driver_internal_info']).toMatchObject({ agent_secret_token: '******' });
    expect(JSON.stringify(document)).not.toContain('d-1');
  });

  it('is told at once to come again while the node is held (CBK-06)', async () => {
    await manageable(world, NODE, agent);
    world.script.hold('inspect');
    await world.do(provision('inspect'));
    expect(await issued('d-1')).toBe('NODE_LOCKED');
    expect(await documentOf(world)).toMatchObject({ last_error: null });
  });

  it('that nobody expects is told nothing, unless the operator says otherwise', async () => {
    await manageable(world, NODE, agent);
    expect([await code(lookUp('d-1')), await code(lookUp('d-1', true))]).toEqual(['RESOURCE_NOT_FOUND', 'accepted']);
  });
});
