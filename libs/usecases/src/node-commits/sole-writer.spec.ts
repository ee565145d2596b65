import { LogUnavailable } from '@lib/ports';
import { NODE, World, documentOf, manageable, patch, provision, replace } from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

/** The one conductor of an SQLite log believes what it has folded; what it cannot be sure of it reads. */
describe('the sole writer of a log', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    Object.assign(world.memory.log, { soleWriter: true });
    conductor = await world.conductor();
  });
  afterEach(() => world.stop());

  const readsDuring = async (work: () => Promise<unknown>): Promise<number> => {
    const read = jest.spyOn(world.memory.log, 'readStream');
    await work();
    const calls = read.mock.calls.length;
    read.mockRestore();
    return calls;
  };

  it('reads a stream at the first look and never after', async () => {
    await manageable(world);
    expect(await readsDuring(() => world.do(patch([replace('/description', 'again')])))).toBe(0);
    expect(await readsDuring(() => world.ask(provision('abort')))).toBe(0);
    expect(await readsDuring(() => world.do(provision('inspect')))).toBe(0);
  });

  it('reads on after a store that broke off while it committed', async () => {
    await manageable(world);
    const { log } = world.memory;
    const append = log.append.bind(log);
    const broken = jest.spyOn(log, 'append').mockImplementationOnce(async (wanted) => {
      await append(wanted);
      throw new LogUnavailable('broke off', true);
    });
    await world.ask(patch([replace('/description', 'stored all the same')]));
    broken.mockRestore();
    await world.do(patch([replace('/extra', { a: 1 })]));
    expect(await documentOf(world, NODE)).toMatchObject({ description: 'stored all the same', extra: { a: 1 } });
  });

  it('shows what was committed to those whom the commit wakes, before the append has resolved', async () => {
    await manageable(world);
    const { log } = world.memory;
    const seen: (string | undefined)[] = [];
    log.onCommit(() => {
      void conductor.commits.streams.load(NODE, false).then(({ stream }) => seen.push(stream.node?.provisionState));
    });
    // A look from before the commit must not stand for one from after it.
    const append = log.append.bind(log);
    jest.spyOn(log, 'append').mockImplementationOnce(async (wanted) => {
      await conductor.commits.streams.load(NODE, false);
      return append(wanted);
    });
    await world.do(provision('inspect'));
    expect(seen[0]).toBe('inspecting');
  });
});
