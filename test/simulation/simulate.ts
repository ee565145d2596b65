import { createHash } from 'node:crypto';
import { waitTimeoutOf } from '@lib/domain';
import { waitSeconds } from '@lib/domain/node-laws';
import { uuidOf, maintain, removal, unmaintain } from '../world';
import { Clients } from './clients';
import { Day } from './day';
import type { Fate } from './fate';
import { Operators, waitOf } from './operators';
import { differences } from './rebuild';
import { withoutOperators } from './seeds';

export interface Outcome {
  readonly seed: number;
  /** Everything that broke a rule; empty for a good day. */
  readonly complaints: readonly string[];
  /** The last lines of what happened to the node that is complained of. */
  readonly story: readonly string[];
  /** Of all that was logged and told: the same seed gives the same. */
  readonly hash: string;
  readonly events: number;
  readonly types: readonly string[];
}

const NODES_MAX = 4;
const CALM_STEP_MS = 15_000;
/** Longer than the bus may hold a late message back. */
const CALM_STEPS_MIN = 5;
const CALM_STEPS_MAX = 60;
const SKEW_MS_MAX = 90_000;
const OPERATED_DAYS = 0.7;

/** One day from a seed: a storm of requests and faults, then calm, then the reckoning. Never rejects but by a bug of its own. */
export async function simulate(seed: number): Promise<Outcome> {
  const day = new Day(seed);
  // It would end a process of the real system.
  const unhandled = (reason: unknown): void =>
    day.referee.complain(
      null,
      `a rejection that nobody handles: ${reason instanceof Error ? reason.stack : String(reason)}`,
    );
  process.on('unhandledRejection', unhandled);
  try {
    return await play(seed, day);
  } finally {
    process.off('unhandledRejection', unhandled);
  }
}

async function play(seed: number, day: Day): Promise<Outcome> {
  day.open();
  const uuids = Array.from({ length: day.fate.between(1, NODES_MAX) }, (_, index) => uuidOf(index + 1));
  await storm(day, uuids, operatorsOf(seed, day));
  await calm(day, uuids);
  // After a complaint the system was left in the middle of things.
  if (day.referee.complaints.length === 0) await reckon(day, uuids);
  day.close();
  return outcomeOf(seed, day);
}

/** Chance of their own: where they stay away, the day is what it was without them. */
function operatorsOf(seed: number, { fate }: Day): Operators | null {
  const own = fate.of('operators');
  return own.happens(OPERATED_DAYS) && !withoutOperators.has(seed) ? new Operators(own) : null;
}

async function storm(day: Day, uuids: readonly string[], operators: Operators | null): Promise<void> {
  const { fate, clock } = day;
  const clients = new Clients(fate.of('clients'));
  for (let steps = fate.between(40, 160); steps > 0 && day.referee.complaints.length === 0; steps -= 1) {
    await clock.advanceBy(pauseMs(fate));
    if (fate.happens(0.85)) {
      const uuid = fate.pick(uuids);
      const command = clients.next(uuid, day.referee.stream(uuid).node);
      day.story.tell(uuid, `${command.type} ${JSON.stringify(command)} is sent`);
      void day.sender.send(day.api, command);
    } else mishap(day);
    if (operators) operate(day, uuids, operators);
    day.referee.step();
  }
}

/** What one of them wants, when the time for it has come; nobody begins anything once the storm is over. */
function operate({ clock, referee, story, sender, api, weather }: Day, uuids: readonly string[], who: Operators): void {
  const wish = who.next(uuids, (uuid) => referee.stream(uuid).node, clock.now());
  if (!wish) return;
  const { command, afterMs } = wish;
  const send = (): void => {
    if (!weather.stormy) return;
    story.tell(command.uuid, `${command.type} ${JSON.stringify(command)} is sent by an operator`);
    void sender.send(api, command);
  };
  if (afterMs === 0) send();
  else clock.after(afterMs, send);
}

const pauseMs = (fate: Fate): number =>
  fate.weighed([
    [3, 0],
    [6, fate.between(1, 400)],
    [6, fate.between(400, 4000)],
    [2, fate.between(4000, 20_000)],
  ]);

function mishap(day: Day): void {
  const { fate, clock, story } = day;
  const { process, name } = fate.pick(day.seats);
  const lasts = fate.between(100, 8000);
  fate.weighed<() => void>([
    [3, () => process.die('killed')],
    [
      2,
      () => {
        process.halt();
        clock.after(fate.between(100, 40_000), () => process.resume());
      },
    ],
    [
      3,
      () => {
        process.skewMs = fate.between(-SKEW_MS_MAX, SKEW_MS_MAX);
        story.tell(null, `${name}: its clock is set to ${process.skewMs} ms`);
      },
    ],
    [
      1,
      () => {
        story.tell(null, `the store can not be written for ${lasts} ms`);
        day.store.fault = 'disk full';
        clock.after(lasts, () => (day.store.fault = null));
      },
    ],
    [
      1,
      () => {
        story.tell(null, `the bus is away for ${lasts} ms`);
        day.hub.interrupt();
        clock.after(lasts, () => day.hub.restore());
      },
    ],
  ])();
}

/** Faults stop, maintenance and pauses end, time passes. What would wait for ever by its own wish is deleted. */
async function calm(day: Day, uuids: readonly string[]): Promise<void> {
  const { weather, seats, clock, story, referee, sender } = day;
  story.tell(null, 'the storm is over');
  weather.stormy = false;
  day.store.fault = null;
  day.hub.restore();
  for (const { process } of seats) process.resume();
  for (let steps = 0; steps < CALM_STEPS_MAX && referee.complaints.length === 0; steps += 1) {
    await clock.advanceBy(CALM_STEP_MS);
    referee.step();
    const restless = uuids.filter((uuid) => referee.unrest(uuid) !== null);
    if (steps >= CALM_STEPS_MIN && restless.length === 0 && sender.open === 0) return;
    for (const uuid of uuids) settle(day, uuid);
  }
}

function settle(day: Day, uuid: string): void {
  const { node } = day.referee.stream(uuid);
  if (!node) return;
  const waitsForEver = waitTimeoutOf(node.provisionState) !== undefined && waitSeconds(node) === 0;
  const send = (command: Parameters<Day['sender']['send']>[1]): void => void day.sender.send(day.api, command);
  if (waitsForEver) send(node.fields.maintenance ? removal(uuid) : maintain(uuid));
  else if (node.fields.maintenance) send(unmaintain(uuid));
  if (typeof waitOf(node)?.pausedAt === 'number') {
    send({ type: 'ChangeDeadline', uuid, change: { kind: 'resume' }, reason: null });
  }
}

async function reckon({ referee, sender, memory }: Day, uuids: readonly string[]): Promise<void> {
  referee.final(uuids);
  if (sender.open > 0) referee.complain(null, `${sender.open} commands never came to an end`);
  for (const row of await differences(memory)) referee.complain(null, row);
}

function outcomeOf(seed: number, { referee, story, store }: Day): Outcome {
  const hash = createHash('sha256');
  for (const event of store.events) hash.update(event.hash);
  hash.update(story.whole());
  const [first] = referee.complaints;
  return {
    seed,
    complaints: referee.complaints.map(({ node, text }) => `${node ?? 'all'}: ${text}`),
    story: first ? story.tail(first.node) : [],
    hash: hash.digest('hex'),
    events: store.events.length,
    types: [...referee.types],
  };
}
