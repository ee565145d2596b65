import type { KeptAnswer } from '@lib/contracts';
import { Accompanied } from '../commands';
import { ApiFault, refusalFault } from '../faults';
import type { Answer, Call } from '../http';
import type { Found } from '../router';
import { answerMadeAnew, type Show } from './answer-made-anew';
import { commandIdOf } from './key';
import { keyedChance } from './keyed-chance';
import { keyState, type KnownRequest } from './known-request';

export interface KeyedCall {
  readonly id: string;
  readonly fingerprint: string;
  readonly found: Found;
  readonly call: Call;
  /** Runs the request's handler, conditions and all. */
  readonly run: (call: Call) => Promise<Answer>;
  readonly show: Show;
}

/**
 * Their answers carry what is not kept, a token, or follow from the log anyway: the handler asks the conductor again under
 * the same command id.
 */
const askedAgain: ReadonlySet<string> = new Set(['continue_inspection', 'heartbeat/{ident}']);

/**
 * A request with an Idempotency-Key. Accepted once: the command's id follows from the key, so the log takes one of however
 * many are sent, by whichever api. Answered once: the first answer is kept in the stream of the key, and given again for 24
 * hours. What is refused leaves nothing behind, and is decided anew when it comes again.
 */
export async function answerOnce(asked: KeyedCall): Promise<Answer> {
  const { id, call } = asked;
  const { reader, clock } = call.services;
  const state = await keyState(id, reader, clock.now());
  if (state.known) return again(state.known, asked);
  const commandId = commandIdOf(id, state.head + 1);
  const { answer, sent } = await firstAnswer(commandId, asked);
  // Nothing was asked of a conductor: there is nothing that could happen twice.
  if (sent === 0 || askedAgain.has(asked.found.pattern)) return answer;
  const { known } = await keyState(id, reader, clock.now());
  return known ? keep(known, answer, asked) : answer;
}

async function firstAnswer(commandId: string, asked: KeyedCall): Promise<{ answer: Answer; sent: number }> {
  const { call, id } = asked;
  const { keyed, commands } = underKey(commandId, asked);
  try {
    return { answer: await asked.run(keyed), sent: commands.sent };
  } catch (error) {
    if (!(error instanceof ApiFault) || error.status === 503) throw error;
    // Another one under the key may have been accepted since, and have made the state that this one was refused in.
    const { known } = await keyState(id, call.services.reader, call.services.clock.now());
    if (!known) throw error;
    return { answer: await again(known, asked), sent: 0 };
  }
}

function underKey(commandId: string, { call, id, fingerprint }: KeyedCall): { keyed: Call; commands: Accompanied } {
  const { services } = call;
  const commands = new Accompanied(services.commands, () => ({ commandId, request: { id, fingerprint } }));
  const chance = keyedChance(commandId, services.transport, services.chance);
  return { keyed: { ...call, services: { ...services, commands, chance } }, commands };
}

/** The answer to a request that was accepted before. */
async function again(known: KnownRequest, asked: KeyedCall): Promise<Answer> {
  const { call, id, fingerprint, found } = asked;
  if (known.fingerprint !== fingerprint) throw reused();
  if (known.answer) return known.answer;
  if (askedAgain.has(found.pattern)) return asked.run(underKey(known.commandId, asked).keyed);
  const uuid = known.target.slice(known.target.indexOf('/') + 1);
  const along = { commandId: known.commandId, request: { id, fingerprint } };
  await call.services.commands.send({ type: 'RecallOutcome', uuid }, call.requestId, along);
  return keep(known, await answerMadeAnew(found, call, known.target, asked.show), asked);
}

const reused = (): ApiFault =>
  refusalFault(
    'COMMAND_ID_REUSED',
    'The Idempotency-Key belongs to another request, which was accepted. Nothing happened.',
  );

/** Keeps the answer unless there is one already, and gives the one that is kept. */
async function keep({ version }: KnownRequest, answer: KeptAnswer, { id, call }: KeyedCall): Promise<Answer> {
  const { commands, reader, clock, logger } = call.services;
  const { status, headers, body } = answer;
  const command = { type: 'RecordAnswer', uuid: id, version, answer: { status, headers, body } } as const;
  try {
    const { kept } = await commands.send(command, call.requestId);
    if (kept !== false) return answer;
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error;
    // The request stands and this is its answer; whoever repeats it gets one that is made anew.
    logger.warn(
      { requestId: call.requestId, problem: error.message },
      'the answer to a request with a key is not kept',
    );
    return answer;
  }
  return (await keyState(id, reader, clock.now())).known?.answer ?? answer;
}
