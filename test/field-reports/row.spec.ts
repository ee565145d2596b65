/** The common oracle sees what it is there for. */
import { nodeStreamId } from '@lib/usecases';
import { NODE, World, provision, waiting } from '../world';
import { expectSound, oddAttempts, oddVersions, wholeLog } from './row';

let world: World;
beforeEach(async () => {
  world = new World();
  await world.conductor();
  await waiting(world);
  await world.do(provision('abort'));
});
afterEach(() => world.stop());

it('is content with what is sound, also while an attempt is open', async () => {
  await expectSound(world.memory, [200, 202, 404, 503]);
  await world.do(provision('inspect'));
  await expectSound(world.memory, []);
});

it('sees a 500', () => expect(expectSound(world.memory, [202, 500])).rejects.toThrow());

it('sees an attempt with two endings, one without, and an ending of none', async () => {
  await world.do(provision('inspect'));
  await world.do(provision('abort'));
  const events = await wholeLog(world.memory.log);
  const ended = events.filter(({ type }) => type === 'InspectionAborted');
  const stream = nodeStreamId(NODE);
  expect(oddAttempts(events)).toEqual([]);
  expect(oddAttempts([...events, ended[0]!])).toEqual([`${stream}: attempt 1 has 2 endings`]);
  expect(oddAttempts(events.filter((event) => event !== ended[0]))).toEqual([`${stream}: attempt 1 has 0 endings`]);
  expect(oddAttempts([...events, { ...ended[0]!, data: '{"attempt":9}' }])).toEqual([
    `${stream}: an ending of attempt 9, which never started`,
  ]);
});

it('sees a hole in the versions', async () => {
  const events = await wholeLog(world.memory.log);
  expect(oddVersions(events)).toEqual([]);
  expect(oddVersions(events.filter(({ version }) => version !== 2))).not.toEqual([]);
});

it('sees a row that the events do not say', async () => {
  const meta = { commandId: 'x', requestId: null, actor: null, source: 'spec', at: 0, causation: null };
  const gone = { change: 'remove', kind: 'node', id: NODE } as const;
  await world.memory.log.append({ writes: [], meta, changes: [gone] });
  await expect(expectSound(world.memory, [])).rejects.toThrow();
});
