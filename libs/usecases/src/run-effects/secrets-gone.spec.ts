import { NODE, World, creation } from '../../../../test/world';

describe('an effect under which the key of the secrets goes', () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => void unhandled.push(reason);
  beforeAll(() => void process.on('unhandledRejection', listen));
  afterAll(() => void process.off('unhandledRejection', listen));

  it('fails once, and leaves no failure that nobody handles', async () => {
    const world = new World();
    await world.conductor();
    await world.do(creation(NODE, { driver_info: { password: 'of the machine' } }));
    const { keyStore, log } = world.memory;
    const get = keyStore.get.bind(keyStore);
    let gone = false;
    log.onCommit(() => void (gone = true));
    jest.spyOn(keyStore, 'get').mockImplementation(async (id) => (gone ? null : get(id)));
    const args = { password: 'of the call' };
    await world.do({
      type: 'Manage',
      uuid: NODE,
      act: { act: 'call vendor method', method: 'beside', httpMethod: 'POST', args },
    });
    await world.settle();
    // Node speaks of rejections after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(keyStore.get).toHaveBeenCalled();
    expect(unhandled).toEqual([]);
    await world.stop();
  });
});
