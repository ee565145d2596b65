import { decode, encode, type CommandEnvelope, type Reply } from '@lib/contracts';
import { transportBox } from '@lib/adapters/secret-box';
import { systemChance } from '@lib/adapters/system-clock';
import { BusError, type BusErrorCode, type Chance, type Clock, type MessageBus } from '@lib/ports';
import { commandTimeoutMs, CommandSender } from './sender';

const transport = transportBox(systemChance.bytes(32), systemChance);
const UUID = '11111111-2222-4333-8444-555555555555';

/** How long a request waits that nobody answers: whoever took it is silent. */
const SILENT_MS = 5_000;

function sender(script: readonly (Reply | BusErrorCode)[]) {
  let now = 0;
  const clock: Clock = {
    now: () => now,
    after: (delayMs, run) => {
      now += delayMs;
      setImmediate(run);
      return { cancel: () => undefined };
    },
  };
  const sent: { subject: string; envelope: CommandEnvelope; timeoutMs: number }[] = [];
  const request: MessageBus['request'] = async (subject, body, { timeoutMs }) => {
    const next = script[sent.length];
    sent.push({ subject, envelope: decode<CommandEnvelope>(body), timeoutMs });
    if (next === undefined) throw new Error('asked more often than scripted');
    if (next === 'TIMEOUT') now += SILENT_MS;
    if (typeof next === 'string') throw new BusError(next, next);
    return encode(next);
  };
  let ids = 0;
  const chance = { uuid: () => `id-${(ids += 1)}` } as Chance;
  const commands = new CommandSender({
    bus: { request } as MessageBus,
    prefix: 'p',
    chance,
    clock,
    timeoutMs: 30_000,
    transport,
  });
  return { sent, send: () => commands.send({ type: 'RemoveNode', uuid: UUID }, 'req-1') };
}

describe('CommandSender', () => {
  it('sends the envelope to the subject of the command and gives the result', async () => {
    const { sent, send } = sender([{ ok: true, result: { a: 1 } }]);
    expect(await send()).toEqual({ a: 1 });
    expect(sent[0]).toMatchObject({
      subject: `p.v1.cmd.node.remove.${UUID}`,
      timeoutMs: 30_000,
      envelope: { commandId: 'id-1', requestId: 'req-1', actor: null, command: { type: 'RemoveNode', uuid: UUID } },
    });
  });

  it('sends the same command once more when nobody answers', async () => {
    const { sent, send } = sender(['TIMEOUT', { ok: true, result: {} }]);
    await send();
    expect(sent.map((one) => one.envelope.commandId)).toEqual(['id-1', 'id-1']);
  });

  const nothing: readonly (readonly [BusErrorCode, BusErrorCode])[] = [
    ['NO_RESPONDERS', 'NO_RESPONDERS'],
    ['UNAVAILABLE', 'UNAVAILABLE'],
    ['UNAVAILABLE', 'NO_RESPONDERS'],
  ];
  it.each(nothing)('says after %s and %s that nothing happened', async (...script) => {
    const { sent, send } = sender(script);
    await expect(send()).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/Nothing happened/) });
    expect(sent).toHaveLength(2);
  });

  const done: Reply = { ok: true, result: {} };
  it.each<readonly [string, readonly (Reply | BusErrorCode)[]]>([
    ['nobody served for a while', ['TIMEOUT', 'NO_RESPONDERS', 'NO_RESPONDERS', 'NO_RESPONDERS', done]],
    ['the broker was gone', ['TIMEOUT', 'UNAVAILABLE', 'UNAVAILABLE', 'TIMEOUT', done]],
    ['the next one died as well', ['NO_RESPONDERS', 'TIMEOUT', 'TIMEOUT', done]],
    [
      'the next one could not look',
      ['TIMEOUT', { ok: false, code: 'UNAVAILABLE', message: 'Nothing happened.' }, done],
    ],
  ])('learns the outcome of what was sent though %s', async (_what, script) => {
    const { sent, send } = sender(script);
    expect(await send()).toEqual({});
    expect(sent).toHaveLength(script.length);
    expect(new Set(sent.map((one) => one.envelope.commandId))).toEqual(new Set(['id-1']));
  });

  it.each<readonly [string, Reply | BusErrorCode]>([
    ['TIMEOUT', 'TIMEOUT'],
    ['NO_RESPONDERS', 'NO_RESPONDERS'],
    ['a conductor with another log trouble', { ok: false, code: 'UNAVAILABLE', message: 'Nothing happened.' }],
    ['a conductor without a free worker', { ok: false, code: 'NO_FREE_WORKER', message: 'Nothing happened.' }],
  ])('says in the end that the outcome of what was sent is unknown: %s', async (_what, rest) => {
    const { sent, send } = sender(['TIMEOUT', ...Array.from({ length: 1_000 }, () => rest)]);
    await expect(send()).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/unknown/) });
    expect(sent.length).toBeLessThan(200);
  });

  it('sends twice in any case, and does not say that nothing happened when the bus is closed meanwhile', async () => {
    const slow = sender(['TIMEOUT', 'CLOSED']);
    await expect(slow.send()).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/unknown/) });
    const stopping = sender(['CLOSED']);
    await expect(stopping.send()).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/unknown/) });
    expect(stopping.sent).toHaveLength(1);
  });

  it('turns refusals into their status, and a bug of the conductor into 500', async () => {
    const locked = sender([{ ok: false, code: 'NODE_LOCKED', message: 'held' }]);
    await expect(locked.send()).rejects.toMatchObject({ status: 409, message: 'held' });
    const broken = sender([{ ok: false, code: 'INTERNAL', message: 'oops' }]);
    await expect(broken.send()).rejects.toMatchObject({ status: 500 });
  });

  it('does not repeat what the bus cannot carry', async () => {
    const { sent, send } = sender(['TOO_LARGE']);
    await expect(send()).rejects.toMatchObject({ status: 413 });
    expect(sent).toHaveLength(1);
  });
});

it('waits longer than a conductor may take', () => {
  expect(commandTimeoutMs(3_000, 10_000)).toBe(30_000);
  expect(commandTimeoutMs(600_000, 10_000)).toBeGreaterThan(610_000);
});
