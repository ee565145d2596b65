import { withoutLayout } from '@lib/contracts';
import type { Command } from '@lib/contracts';
import { NODE, World, creation, documentOf, eventTypes, manageable, uuidOf } from '../../../../test/world';

type Change = Extract<Command, { type: 'ChangeTraits' }>['change'];

const RUNBOOK = uuidOf(90);
const traits = (change: Change): Command => ({ type: 'ChangeTraits', of: 'node', uuid: NODE, change });
const ofRunbook = (change: Change): Command => ({ type: 'ChangeTraits', of: 'runbook', uuid: RUNBOOK, change });
const steps = [{ interface: 'bios', step: 'apply', order: 1, args: { password: 'hidden' } }];
const runbook: Command = {
  type: 'CreateResource',
  kind: 'runbook',
  uuid: RUNBOOK,
  nodeUuid: null,
  fields: { name: 'CUSTOM_BOOK', steps },
  minor: 112,
};

describe('commands on traits', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
  });
  afterEach(() => world.stop());

  const shown = async (): Promise<unknown> => (await documentOf(world))?.['traits'];
  const runbookDocument = async (): Promise<Readonly<Record<string, unknown>>> => {
    const [stored] = await world.memory.readModel.get('runbook', [RUNBOOK]);
    return withoutLayout(JSON.parse(stored?.json ?? '{}') as Record<string, unknown>);
  };

  it('change what the node shows, with one event each', async () => {
    await world.do(creation());
    await world.do(traits({ set: ['CUSTOM_B', 'CUSTOM_A'] }));
    expect(await shown()).toEqual(['CUSTOM_A', 'CUSTOM_B']);
    await world.do(traits({ add: 'CUSTOM_A' }));
    await world.do(traits({ remove: 'CUSTOM_A', mustExist: true }));
    expect(await shown()).toEqual(['CUSTOM_B']);
    expect(await eventTypes(world, NODE, 1)).toEqual(['NodeTraitsChanged', 'NodeTraitsChanged']);
    expect(await world.ask(traits({ remove: 'CUSTOM_A', mustExist: true }))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });

  it('of many clients at once are all kept', async () => {
    await manageable(world);
    const names = Array.from({ length: 10 }, (_, n) => `CUSTOM_${n}`);
    const sent = names.map((name) => world.send(traits({ add: name })));
    await world.settle();
    expect(sent.every(({ reply }) => reply?.ok)).toBe(true);
    expect(await shown()).toEqual(names);
  });

  it('say that there is no node', async () => {
    expect(await world.ask(traits({ set: [] }))).toMatchObject({ code: 'NODE_NOT_FOUND' });
  });

  it('of a runbook leave the rest of it as it is', async () => {
    await world.do(runbook);
    const before = await runbookDocument();
    await world.do(ofRunbook({ set: ['CUSTOM_B'] }));
    await world.do(ofRunbook({ add: 'CUSTOM_A' }));
    await world.do(ofRunbook({ remove: 'CUSTOM_Z', mustExist: false }));
    const after = await runbookDocument();
    expect(after).toEqual({ ...before, traits: ['CUSTOM_A', 'CUSTOM_B'], updated_at: after['updated_at'] });
    const events = await world.memory.log.readStream(`runbook/${RUNBOOK}`, 1, 10);
    expect(events.map(({ type }) => type)).toEqual(['RunbookChanged', 'RunbookChanged']);
    expect(await world.ask(ofRunbook({ add: 'lower' }))).toMatchObject({ code: 'INVALID_PARAMETER' });
    await world.do(ofRunbook({ set: [] }));
    expect(await runbookDocument()).toMatchObject({ traits: [] });
  });

  it('say which runbook is missing', async () => {
    expect(await world.ask(ofRunbook({ set: [] }))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});
