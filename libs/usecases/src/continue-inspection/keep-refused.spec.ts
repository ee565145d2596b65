import { requestStreamId } from '@lib/contracts';
import { NODE, World, eventTypes, manageable, uuidOf } from '../../../../test/world';

const MAC = '52:54:00:00:00:01';

it('data that nobody waited for is kept, also under a key, which stays free', async () => {
  const world = new World();
  await world.conductor();
  await manageable(world, NODE, { inspect_interface: 'agent' });
  await world.do({
    type: 'CreateResource',
    kind: 'port',
    minor: 82,
    uuid: uuidOf(500),
    nodeUuid: NODE,
    fields: { address: MAC },
  });
  const request = { id: 'key-1', fingerprint: 'print-1' };
  const posted = await world.ask(
    {
      type: 'ContinueInspection',
      uuid: uuidOf(900),
      askedNode: null,
      inventory: { interfaces: [{ name: 'eth0', mac_address: MAC }] },
      pluginData: {},
      tokenDigest: null,
    },
    { request },
  );
  expect(posted).toMatchObject({ ok: false, code: 'RESOURCE_NOT_FOUND' });
  expect((await eventTypes(world)).at(-1)).toBe('InspectionDataRefused');
  expect(await world.memory.log.readStream(requestStreamId(request.id), 0, 10)).toEqual([]);
  await world.stop();
});
