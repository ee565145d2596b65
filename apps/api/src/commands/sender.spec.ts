import { decode, encode, type CommandEnvelope, type Reply } from '@lib/contracts';
import { transportBox } from '@lib/adapters/secret-box';
import { systemChance } from '@lib/adapters/system-clock';
import { BusError, type BusErrorCode, type Chance, type MessageBus } from '@lib/ports';
import { commandTimeoutMs, CommandSender } from './sender';

const transport = transportBox(systemChance.bytes(32), systemChance);
const UUID = '11111111-2222-4333-8444-555555555555';

function sender(script: readonly (Reply | BusErrorCode)[]) {
  const sent: { subject: string; envelope: CommandEnvelope; timeoutMs: number }[] = [];
  const request: MessageBus['request'] = async (subject, body, { timeoutMs }) => {
    const next = script[sent.length];
    sent.push({ subject, envelope: decode<CommandEnvelope>(body), timeoutMs });
    if (next === undefined) throw new Error('asked more often than scripted');
    if (typeof next === 'string') throw new BusError(next, next);
    return encode(next);
  };
  let ids = 0;
  const chance = { uuid: () => `id-${(ids += 1)}` } as Chance;
  const commands = new CommandSender({
    bus: { request } as MessageBus,
    prefix: 'p',
    chance,
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

  it.each<[BusErrorCode, BusErrorCode, RegExp]>([
    ['NO_RESPONDERS', 'NO_RESPONDERS', /Nothing happened/],
    ['UNAVAILABLE', 'UNAVAILABLE', /Nothing happened/],
    ['TIMEOUT', 'TIMEOUT', /unknown/],
    ['TIMEOUT', 'NO_RESPONDERS', /unknown/],
    ['NO_RESPONDERS', 'TIMEOUT', /unknown/],
  ])('says after %s and %s what is known', async (first, second, text) => {
    const { sent, send } = sender([first, second]);
    await expect(send()).rejects.toMatchObject({ status: 503, message: expect.stringMatching(text) as string });
    expect(sent).toHaveLength(2);
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
