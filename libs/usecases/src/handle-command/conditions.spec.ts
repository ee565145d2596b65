import type { Command, CommandEnvelope, KeptAnswer, KeyedRequest, Reply } from '@lib/contracts';
import { requestStreamId } from '@lib/contracts';
import {
  NODE,
  World,
  creation,
  documentOf,
  eventTypes,
  maintain,
  manageable,
  patch,
  provision,
  removal,
  unmaintain,
  uuidOf,
  waiting,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world/conductor';
import { StreamDerivation } from '../derived-rows';

const PORT = uuidOf(90);
const KEY = uuidOf(70);
const DONE: Reply = { ok: true, result: {} };
const MOVED = { ok: false, code: 'PRECONDITION_FAILED' };

const extra = (value: number): Command => patch([{ op: 'add', path: '/extra/k', value }]);
const portOf = (node: string): Command => ({
  type: 'CreateResource',
  kind: 'port',
  minor: 82,
  uuid: PORT,
  nodeUuid: node,
  fields: { address: '52:54:00:aa:00:01' },
});
const portPatch = (value: number): Command => ({
  type: 'PatchResource',
  kind: 'port',
  uuid: PORT,
  nodeUuid: NODE,
  patch: [{ op: 'add', path: '/extra/k', value }],
  minor: 82,
});

let world: World;
let conductor: WorldConductor;
beforeEach(async () => {
  world = new World();
  conductor = await world.conductor();
});
afterEach(() => world.stop());

async function send(command: Command, rest: Partial<CommandEnvelope> = {}, to = conductor): Promise<Reply> {
  const envelope = { commandId: world.chance.uuid(), requestId: null, actor: null, command, ...rest };
  const reply = to.handler.handle(envelope);
  await world.clock.advanceBy(0);
  return reply;
}

const versionOf = async (stream = `node/${NODE}`): Promise<number> =>
  (await world.memory.log.versions([stream])).get(stream)?.version ?? 0;

describe('a command under expected versions', () => {
  it('is carried out at one of them, and refused at any other without a trace', async () => {
    await manageable(world);
    const version = await versionOf();
    for (const expected of [[version - 1], [version + 1], []]) {
      expect(await send(extra(1), { expected })).toMatchObject(MOVED);
      expect(await versionOf()).toBe(version);
    }
    expect(await send(extra(1), { expected: [1, version] })).toEqual(DONE);
    expect(await documentOf(world)).toMatchObject({ extra: { k: 1 } });
    expect(await send(extra(2), { expected: [version] })).toMatchObject({
      message: `The precondition If-Match does not hold: node ${NODE} is at version ${version + 1} now. Nothing happened.`,
    });
  });

  it.each([
    ['in one conductor', 1],
    ['in two', 2],
  ])('wins once against others that have seen the same: %s', async (_where, conductors) => {
    const second = conductors === 2 ? await world.conductor({ host: 'conductor-2' }) : conductor;
    await manageable(world);
    await world.do(portOf(NODE));
    for (const [command, stream] of [
      [extra, `node/${NODE}`],
      [portPatch, `port/${PORT}`],
    ] as const) {
      const expected = [await versionOf(stream)];
      const replies = await Promise.all(
        [1, 2, 3, 4].map((n) => send(command(n), { expected }, n % 2 ? conductor : second)),
      );
      expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
      expect(replies.filter(({ ok }) => !ok)).toEqual([1, 2, 3].map(() => expect.objectContaining(MOVED)));
    }
  });

  it('is refused by the rules first', async () => {
    await manageable(world);
    expect(await send(provision('abort'), { expected: [] })).toMatchObject({ code: 'INVALID_STATE' });
    expect(await send(removal(uuidOf(5)), { expected: [] })).toMatchObject({ code: 'NODE_NOT_FOUND' });
  });

  it('is held to them also where it changes nothing', async () => {
    await manageable(world);
    await world.do(maintain());
    expect(await send(maintain(), { expected: [await versionOf()] })).toEqual(DONE);
    expect(await send(maintain(), { expected: [1] })).toMatchObject(MOVED);
  });

  it('removes what it has seen and nothing newer', async () => {
    await manageable(world);
    await world.do(portOf(NODE));
    const remove: Command = { type: 'RemoveResource', kind: 'port', uuid: PORT, nodeUuid: NODE };
    await world.do(portPatch(1));
    expect(await send(remove, { expected: [1] })).toMatchObject(MOVED);
    expect(await send(remove, { expected: [2] })).toEqual(DONE);
    expect(await send(removal(), { expected: [1] })).toMatchObject(MOVED);
    expect(await send(removal(), { expected: [await versionOf()] })).toEqual(DONE);
  });

  it('that was accepted is answered so again, although the version has moved by it', async () => {
    await manageable(world);
    const once = { commandId: 'once', expected: [await versionOf()] };
    expect(await send(extra(1), once)).toEqual(DONE);
    expect(await send(extra(1), once)).toEqual(DONE);
  });
});

describe('a command of a request with a key', () => {
  const request: KeyedRequest = { id: KEY, fingerprint: 'f' };
  const keyed = { commandId: 'keyed', request };
  const kept = () => world.memory.log.readStream(requestStreamId(KEY), 0, 10);

  it('is written down in its append with what it was about', async () => {
    expect(await send(creation(), keyed)).toEqual(DONE);
    const [accepted, ...rest] = await kept();
    expect(rest).toEqual([]);
    expect(accepted).toMatchObject({ type: 'RequestAccepted', data: JSON.stringify({ target: `node/${NODE}` }) });
    expect(JSON.parse(accepted?.meta ?? '')).toMatchObject({ commandId: 'keyed', fingerprint: 'f' });
    const together = await world.memory.log.readCommand('keyed');
    expect(together.map(({ type }) => type)).toEqual(['NodeEnrolled', 'RequestAccepted']);
  });

  it('is not written down when it is refused', async () => {
    expect(await send(removal(), keyed)).toMatchObject({ code: 'NODE_NOT_FOUND' });
    expect(await kept()).toEqual([]);
  });

  it('that changed nothing changes nothing when it comes again', async () => {
    await manageable(world);
    await world.do(maintain());
    expect(await send(maintain(), keyed)).toEqual(DONE);
    await world.do(unmaintain());
    const types = await eventTypes(world);
    expect(await send(maintain(), keyed)).toEqual(DONE);
    expect(await eventTypes(world)).toEqual(types);
    expect(await kept()).toHaveLength(1);
  });

  it('is known by the request, not by the command that the api made of it', async () => {
    await manageable(world);
    expect(await send(extra(1), keyed)).toEqual(DONE);
    expect(await send(extra(2), keyed)).toEqual(DONE);
    expect(await documentOf(world)).toMatchObject({ extra: { k: 1 } });
    const other = { ...keyed, request: { id: KEY, fingerprint: 'g' } };
    expect(await send(extra(1), other)).toMatchObject({ code: 'COMMAND_ID_REUSED' });
  });

  it('makes one of two that are there at once, also in two conductors', async () => {
    const second = await world.conductor({ host: 'conductor-2' });
    const replies = await Promise.all([send(creation(), keyed), send(creation(), keyed, second)]);
    expect(replies).toEqual([DONE, DONE]);
    expect(await eventTypes(world)).toEqual(['NodeEnrolled']);
  });

  it('has its outcome recalled, the word of a peer included', async () => {
    await waiting(world);
    const peer = world.script.hold('abort');
    const first = send(provision('abort'), keyed);
    await world.settle();
    const recalled = conductor.handler.handle({
      ...keyed,
      requestId: null,
      actor: null,
      command: { type: 'RecallOutcome', uuid: NODE },
    });
    peer.refuse(new Error('busy'));
    await world.clock.advanceBy(5_000);
    expect(await first).toMatchObject({ ok: false, code: 'PEER_FAILED' });
    expect(await recalled).toEqual(await first);
  });

  it('keeps the first answer for good', async () => {
    await send(creation(), keyed);
    const keep = (status: number) => {
      const answer: KeptAnswer = { status, headers: {}, body: null };
      return send({ type: 'RecordAnswer', uuid: KEY, version: 1, answer }, { commandId: `answer-${status}` });
    };
    expect(await keep(201)).toEqual({ ok: true, result: { kept: true } });
    expect(await keep(202)).toEqual({ ok: true, result: { kept: false } });
    expect((await kept()).map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
      ['RequestAccepted', { target: `node/${NODE}` }],
      ['RequestAnswered', { status: 201, headers: {}, body: null }],
    ]);
  });

  it('has a stream that this release knows, from which nothing else derives', async () => {
    await send(creation(), keyed);
    const derivation = new StreamDerivation(requestStreamId(KEY), { errorCharsMax: 1, historyEntriesMax: 0 });
    for (const event of await kept()) derivation.add(event);
    expect(derivation.known).toBe(true);
    expect(derivation.rows().map(({ row }) => row)).toEqual([
      expect.objectContaining({ stream_id: requestStreamId(KEY), version: 1, removed: false }),
    ]);
  });
});
