import { NODE, World, documentOf, manageable } from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const DIGEST = 'a'.repeat(64);

describe('certificates that come with a heartbeat', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
    await manageable(world, NODE, { driver_info: { fast_track: true } });
    await world.do({ type: 'LookUpNode', uuid: NODE, tokenDigest: DIGEST, inAnyState: false });
  });
  afterEach(() => world.stop());

  const heartbeat = (agentVerifyCa: string | null, tokenDigest = DIGEST) =>
    world.ask({
      type: 'RecordHeartbeat',
      uuid: NODE,
      callbackUrl: 'https://192.0.2.9:9999',
      tokenDigest,
      agentVersion: '9.14.0',
      agentStatus: null,
      agentStatusMessage: null,
      agentVerifyCa,
      requireTls: true,
    });
  const path = () => conductor.certificates.pathOf(NODE);
  const info = async () => (await documentOf(world))?.['driver_internal_info'];

  it('are in the file before the node names it, the newest of a boot in place of the older', async () => {
    expect(await heartbeat('PEM 1')).toMatchObject({ ok: true });
    expect(await info()).toMatchObject({ agent_verify_ca: path() });
    expect(conductor.certificates.read(path())).toBe('PEM 1');
    await heartbeat('PEM 2');
    expect(conductor.certificates.read(path())).toBe('PEM 2');
    await heartbeat(null);
    expect(conductor.certificates.read(path())).toBe('PEM 2');
  });

  it('of a heartbeat that is refused are not kept', async () => {
    expect(await heartbeat('PEM', 'b'.repeat(64))).toMatchObject({ ok: false, code: 'INVALID_PARAMETER' });
    expect(conductor.certificates.read(path())).toBeUndefined();
  });

  it('that cannot be kept make the agent come again, and the node names none', async () => {
    jest.spyOn(conductor.certificates, 'keep').mockRejectedValueOnce(new Error('the disk is full'));
    expect(await heartbeat('PEM')).toMatchObject({ ok: false, code: 'UNAVAILABLE' });
    expect(await info()).not.toHaveProperty('agent_verify_ca');
    expect(await heartbeat('PEM')).toMatchObject({ ok: true });
    expect(conductor.certificates.read(path())).toBe('PEM');
  });
});
